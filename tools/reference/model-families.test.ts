import { capabilitiesOf, traitsOf } from '@sluice/providers/capabilities/capabilities'
import { isChatModel } from '@sluice/providers/offered-models'
import { expect, test } from 'vitest'
import { capabilitiesByName } from '../../apps/console/src/features/playground/model/model-families.ts'
import { CURRENT_BOOK } from '../../packages/providers/src/prices/book.ts'

/** A type that adds nothing to what is known of a model. */
const OPENAI = 1

test('the console’s rules by name agree with the gateway’s for every model of the price book that has one', () => {
  const models = [...new Set(CURRENT_BOOK.sellers.flatMap(({ models: sold }) => Object.keys(sold)))].filter(
    (model) => isChatModel(model) && Object.keys(traitsOf(model)).length > 0,
  )
  expect(models.length).toBeGreaterThan(100)
  const differing = models.flatMap((model) => {
    const [ours, theirs] = [capabilitiesByName(model), capabilitiesOf(model, OPENAI)]
    const names = Object.keys(theirs) as (keyof typeof theirs)[]
    const wrong = names.filter((name) => ours[name] !== theirs[name])
    return wrong.length === 0 ? [] : [`${model}: ${wrong.join(', ')}`]
  })
  expect(differing).toEqual([])
})
