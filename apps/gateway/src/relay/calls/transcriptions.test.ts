import { isRefusal } from '@sluice/contract/errors'
import { formBody, waveFile } from '@sluice/testkit/call-bodies'
import { expect, test } from 'vitest'
import { readTranscription } from './transcriptions.ts'

/** Ogg Opus whose last page claims a second, whatever comes before it. */
function shortOgg(bytes: number): Uint8Array<ArrayBuffer> {
  const file = Buffer.alloc(bytes)
  file.write('OggS', 0)
  file.write('OpusHead', 28)
  file.write('OggS', bytes - 27)
  file.writeBigUInt64LE(48_000n, bytes - 21)
  return new Uint8Array(file)
}

function read(file: Uint8Array<ArrayBuffer>) {
  const { body, headers } = formBody({ model: 'm', file })
  const parsed = readTranscription(Buffer.from(body), headers['content-type'])
  if (isRefusal(parsed)) throw new Error(parsed.code)
  return parsed
}

test('a file that claims to be shorter than its transcript costs the time that it takes to speak the transcript', () => {
  const parsed = read(shortOgg(75_000))
  expect(parsed.ownCounts({ prompt: 0, output: 5 }).units).toEqual({ audio_ms: 1_000 })
  expect(parsed.ownCounts({ prompt: 0, output: 500 }).units).toEqual({ audio_ms: 50_000 })
  // 75,000 bytes are a hundred seconds at most, so the hold covers it.
  expect(parsed.ownCounts({ prompt: 0, output: 9_000 }).units).toEqual({ audio_ms: 100_000 })
  expect(read(waveFile(3_000)).ownCounts({ prompt: 0, output: 12 }).units).toEqual({ audio_ms: 3_000 })
})

test('the timings of subtitles do not count as words', () => {
  const srt = '1\r\n00:00:00,000 --> 00:00:04,000\r\nThe gate opens.\r\n\r\n2\n00:00:04,000 --> 00:00:09,000\nAt 6.\n'
  const answer = read(waveFile(100)).readAnswer(Buffer.from(srt), 'text/plain')
  if (!('delivered' in answer)) throw new Error('no answer')
  expect(answer.delivered?.text.split(/\s+/).filter(Boolean)).toEqual(['The', 'gate', 'opens.', 'At', '6.'])
})
