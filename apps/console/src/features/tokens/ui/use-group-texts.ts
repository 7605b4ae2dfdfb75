import type { UsableGroups } from '@sluice/contract/groups'
import { formatRatio } from '~/lib/format/groups.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { isAuto } from '../model/group-choices.ts'
import { tokenTexts } from '../texts/token-texts.ts'

interface GroupTexts {
  /** Its title, with its name if that is another. */
  readonly title: string
  /** Empty for `auto`, and for a group that cannot be used. */
  readonly ratio: string
  readonly text: string
  readonly isUsable: boolean
}

/** What is shown of a group that a token names. */
export function useGroupTexts(usable: UsableGroups): (name: string) => GroupTexts {
  const t = useTexts(tokenTexts)
  return (name) => {
    const group = usable[name]
    if (group === undefined) return { title: name, ratio: '', text: t.groupNotUsable(name), isUsable: false }
    if (isAuto(name, usable)) return { title: t.autoGroup, ratio: '', text: t.autoGroupText, isUsable: true }
    const { ratio, title, desc } = group
    return {
      title: title.toLowerCase() === name.toLowerCase() ? title : title === '' ? name : `${title} (${name})`,
      ratio: formatRatio(Number(ratio)),
      text: desc === name || desc === title ? '' : desc,
      isUsable: true,
    }
  }
}
