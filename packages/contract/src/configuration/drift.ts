/** Alarm: something that a configuration file owns was changed elsewhere. Visible only to those who may apply files. */
export const CONFIGURATION_DRIFT = 'configuration_drift'
