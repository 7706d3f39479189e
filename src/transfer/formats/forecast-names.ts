/** The names of forecasting sites' formats, for help and completion, which load none of them. */
export const forecastFormatNames = ['fatebook', 'predictionbook', 'metaculus'] as const

export type ForecastFormatName = (typeof forecastFormatNames)[number]

export const isForecastFormat = (format: string): format is ForecastFormatName =>
  forecastFormatNames.some((name) => name === format)
