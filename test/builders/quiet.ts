/** Imported before anything that makes a logger: Powertools reads these when it is loaded. */
process.env['POWERTOOLS_LOG_LEVEL'] = 'SILENT'
process.env['POWERTOOLS_METRICS_DISABLED'] = 'true'

export {}
