/** Browser and system by familiar names; empty when not recognised. */
export interface Device {
  readonly browser: string
  readonly system: string
}

/** First match wins: most browsers also name their ancestors. */
const BROWSERS: ReadonlyArray<readonly [RegExp, string]> = [
  [/\bEdgA?\/|\bEdgiOS\//, 'Edge'],
  [/\bOPR\/|\bOPT\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bMicroMessenger\//, 'WeChat'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrome\/|\bCriOS\/|\bHeadlessChrome\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
]
const SYSTEMS: ReadonlyArray<readonly [RegExp, string]> = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/** Only helps people recognise their devices; nothing may depend on it. */
export function deviceOf(userAgent: string): Device {
  return { browser: firstName(BROWSERS, userAgent), system: firstName(SYSTEMS, userAgent) }
}

function firstName(names: ReadonlyArray<readonly [RegExp, string]>, userAgent: string): string {
  return names.find(([pattern]) => pattern.test(userAgent))?.[1] ?? ''
}
