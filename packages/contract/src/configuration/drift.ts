/** An alarm: something owned by a configuration file was changed elsewhere. Only those who may apply files see it. */
export const CONFIGURATION_DRIFT = 'configuration_drift'
