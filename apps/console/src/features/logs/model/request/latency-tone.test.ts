import { expect, it } from 'vitest'
import { logTexts } from '~/features/logs/texts/log-texts.ts'
import { formatLatency, latencyBand } from '~/lib/format/latency.ts'
import { LATENCY_TONES } from './latency-tone.ts'

it(
  'latencies read in milliseconds below a second, then in seconds, and are green, yellow or red with a word that says the same',
  { tags: ['B2.27', 'B9.4'] },
  () => {
    const shown = [0, 999, 1_000, 2_999, 3_000, 12_340].map((milliseconds) => {
      const band = latencyBand(milliseconds)
      return `${formatLatency(milliseconds)} ${LATENCY_TONES[band]} ${logTexts.en.bands[band]}`
    })
    expect(shown).toEqual([
      '0 ms good Fast',
      '999 ms good Fast',
      '1.00 s warn Fair',
      '3.00 s warn Fair',
      '3.00 s bad Slow',
      '12.34 s bad Slow',
    ])
  },
)
