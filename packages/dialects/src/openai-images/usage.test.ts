import { expect, test } from 'vitest'
import { openUsageStream, usageOfReply } from '../usage/usage-report.ts'
import { imagesUsage } from './usage.ts'

const none = { input: 0, cachedInput: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 }
const picture = { b64_json: 'aGk=' }

test('gpt-image: text and picture tokens read, picture tokens made, and the pictures', () => {
  const usage = {
    input_tokens: 337,
    input_tokens_details: { image_tokens: 323, text_tokens: 14 },
    output_tokens: 1_056,
    total_tokens: 1_393,
  }
  expect(usageOfReply(imagesUsage, { created: 1, data: [picture], usage })?.counts).toStrictEqual({
    ...none,
    input: 14,
    units: { image_input: 323, image_output: 1_056, image: 1 },
  })
})

test('text that a picture model wrote is output', () => {
  const usage = {
    input_tokens: 20,
    output_tokens: 300,
    output_tokens_details: { text_tokens: 28, image_tokens: 272 },
  }
  expect(usageOfReply(imagesUsage, { data: [picture], usage })?.counts).toStrictEqual({
    ...none,
    input: 20,
    output: 28,
    units: { image_output: 272, image: 1 },
  })
})

test('pictures are counted where there are no tokens, failed ones are not', () => {
  const urls = [{ url: 'https://a.example/1' }, { url: 'https://a.example/2' }]
  expect(usageOfReply(imagesUsage, { data: urls })?.counts?.units).toStrictEqual({ image: 2 })
  expect(usageOfReply(imagesUsage, { images: urls })?.counts?.units).toStrictEqual({ image: 2 })
  const failed = { error: { code: 'OutputImageSensitiveContentDetected' } }
  expect(usageOfReply(imagesUsage, { data: [urls[0], failed] })?.counts?.units).toStrictEqual({ image: 1 })
  expect(usageOfReply(imagesUsage, { data: [] })).toBeUndefined()
})

test('the number of pictures that the vendor states is believed over the list', () => {
  const usage = { generated_images: 3, output_tokens: 12_288, total_tokens: 12_288 }
  expect(usageOfReply(imagesUsage, { data: [picture, picture], usage })?.counts?.units).toStrictEqual({
    image_output: 12_288,
    image: 3,
  })
})

test('a picture with nothing reported but its cost', () => {
  const report = usageOfReply(imagesUsage, { data: [picture], usage: { cost_in_usd_ticks: 200_000_001 } })
  expect(report?.counts?.units).toStrictEqual({ image: 1 })
  expect(report?.reportedNanoUsd).toBe(20_000_001)
})

test('a stream of several pictures: each event is one, the last usage reported counts', () => {
  const stream = openUsageStream(imagesUsage)
  const done = { type: 'image_generation.completed', ...picture }
  stream.see({ ...done, usage: { input_tokens: 50, output_tokens: 272 } })
  stream.see({ ...done, usage: { input_tokens: 50, output_tokens: 544 } })
  expect(stream.report()?.counts).toStrictEqual({ ...none, input: 50, units: { image_output: 544, image: 2 } })
})

test('a stream: previews are not pictures, the completed event counts', () => {
  const stream = openUsageStream(imagesUsage)
  stream.see({ type: 'image_generation.partial_image', partial_image_index: 0, ...picture })
  expect(stream.report()).toBeUndefined()
  stream.see({
    type: 'image_generation.completed',
    ...picture,
    usage: { input_tokens: 50, input_tokens_details: { text_tokens: 50, image_tokens: 0 }, output_tokens: 272 },
  })
  expect(stream.report()?.counts).toStrictEqual({ ...none, input: 50, units: { image_output: 272, image: 1 } })
})
