/** What a prediction is read from in SQLite. */
export const predictionTables = `prediction LEFT JOIN provenance ON provenance.kind = 'prediction' AND provenance.record_id = prediction.id`

export const selectPrediction = `SELECT prediction.*, provenance.agent FROM ${predictionTables}`
