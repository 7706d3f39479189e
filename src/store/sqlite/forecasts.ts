/**
 * The history of predictions in SQLite: later confidences, and resolutions that were undone. Each row belongs to a
 * prediction and is removed with it.
 */
import type BetterSqlite3 from 'better-sqlite3'
import type { Forecast, PredictionHistory, Reopening } from '../../core/records.ts'
import {
  type ForecastRow,
  fromForecast,
  fromReopening,
  type ReopeningRow,
  toForecast,
  toReopening,
} from '../rows/predictions.ts'
import type { Connection } from './connection.ts'
import { insertRow } from './insert.ts'

/** Later forecasts and reopenings of a prediction, oldest first. */
export const readHistory = (database: BetterSqlite3.Database, id: number): PredictionHistory => ({
  forecasts: database
    .prepare<[number], ForecastRow>(
      'SELECT confidence, note, created_at FROM forecast WHERE prediction_id = ? ORDER BY id',
    )
    .all(id)
    .map(toForecast),
  reopenings: database
    .prepare<[number], ReopeningRow>(
      `SELECT outcome, actual, surprise, resolved_at, note, created_at FROM reopening
       WHERE prediction_id = ? ORDER BY id`,
    )
    .all(id)
    .map(toReopening),
})

/** Inside a write. */
export function insertForecast(connection: Connection, id: number, forecast: Forecast): void {
  insertRow(connection, 'forecast', { prediction_id: id, ...fromForecast(forecast) })
}

/** Inside a write. */
export function insertReopening(connection: Connection, id: number, reopening: Reopening): void {
  insertRow(connection, 'reopening', { prediction_id: id, ...fromReopening(reopening) })
}
