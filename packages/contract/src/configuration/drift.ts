/** An alarm: something has changed what a configuration file owns. Only those who may apply files see it. */
export const CONFIGURATION_DRIFT = 'configuration_drift'
