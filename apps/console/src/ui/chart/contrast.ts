import type { Oklch } from './series-colours.ts'

function oklab([lightness, chroma, hue]: Oklch): [number, number, number] {
  const angle = (hue * Math.PI) / 180
  return [lightness, chroma * Math.cos(angle), chroma * Math.sin(angle)]
}

/** Linear-light sRGB, by the matrices of the CSS Color 4 specification. */
export function linearRgb(value: Oklch): [number, number, number] {
  const [lightness, a, b] = oklab(value)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}

function luminance(value: Oklch): number {
  const [red, green, blue] = linearRgb(value).map((part) => Math.min(1, Math.max(0, part)))
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0)
}

/** Contrast ratio of WCAG 2.2: 1 to 21. */
export function contrast(a: Oklch, b: Oklch): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return (high + 0.05) / (low + 0.05)
}

export function distance(a: Oklch, b: Oklch): number {
  const [from, to] = [oklab(a), oklab(b)]
  return Math.hypot(from[0] - to[0], from[1] - to[1], from[2] - to[2])
}
