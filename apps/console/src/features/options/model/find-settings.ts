import type { PlacedCard } from './placed-settings.ts'
import type { Setting } from './setting.ts'

/** A card with what was found on it. */
export interface FoundCard extends PlacedCard {
  /** The card itself matched: its actions are shown as well. */
  readonly whole: boolean
}

/** The words by which cards and settings are found, in the visitor's language. */
export interface FindWords {
  readonly ofCard: (card: PlacedCard) => string
  readonly ofSetting: (setting: Setting) => string
}

/** The cards and settings that contain every word of a text, in whatever order. Case is ignored. */
export function findSettings(cards: readonly PlacedCard[], text: string, words: FindWords): readonly FoundCard[] {
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean)
  const holdsAll = (...texts: string[]) => {
    const all = texts.join(' ').toLowerCase()
    return wanted.every((word) => all.includes(word))
  }
  return cards.flatMap((card): FoundCard[] => {
    const ofCard = words.ofCard(card)
    if (holdsAll(ofCard)) return [{ ...card, whole: true }]
    const settings = card.settings.filter((setting) => holdsAll(ofCard, setting.key, words.ofSetting(setting)))
    return settings.length === 0 ? [] : [{ ...card, settings, whole: false }]
  })
}
