import { memo, type ReactNode, useEffect, useRef, useState } from 'react'
import { formatCount } from '~/lib/format/quota.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import type { ModelEntry, ModelGroup } from '../model/catalogue.ts'
import { modelTexts } from '../texts/model-texts.ts'
import { cardPx, ModelCard, ModelRow, ROW_PX } from './model-row.tsx'

const PART = 40

interface GroupSectionProps {
  readonly group: ModelGroup
  readonly asCards: boolean
  /** Multiplies every price. */
  readonly ratio: number
  readonly first: boolean
  /** Name of the model whose panel is open. */
  readonly open: string | undefined
  readonly onOpen: (model: string, channel: string) => void
}

export const GroupSection = memo(function GroupSection(props: GroupSectionProps) {
  const t = useTexts(modelTexts)
  const { group, asCards } = props
  const count = group.models.length
  return (
    <section aria-label={group.label} className="flex min-w-0 flex-col gap-2">
      <h2 className="flex flex-wrap items-baseline gap-x-2 font-semibold wrap-anywhere">
        {group.label}
        <span className="text-muted text-xs font-normal">
          {group.provider} · {count === 1 ? t.oneModel : t.modelCount(formatCount(count))}
        </span>
      </h2>
      <div className="border-line bg-surface overflow-x-auto rounded-lg border">
        {asCards ? <Cards {...props} /> : <Table {...props} />}
      </div>
    </section>
  )
})

function Table({ group, ratio, first, open, onOpen }: GroupSectionProps) {
  const t = useTexts(modelTexts)
  const { columns } = t
  const numbers = [columns.input, columns.cached, columns.output, columns.maxTokens, columns.image]
  return (
    <table aria-label={t.tableOf(group.label)} className="w-full min-w-3xl table-fixed text-sm">
      <thead>
        <tr className="text-muted border-line h-9 border-b text-xs">
          <th scope="col" className="px-3 text-start font-medium">
            {columns.model}
          </th>
          {numbers.map((name) => (
            <th key={name} scope="col" className="w-28 px-3 text-end font-medium">
              {name}
            </th>
          ))}
          <th scope="col" className="w-56 px-3 text-start font-medium max-lg:w-40">
            {columns.capabilities}
          </th>
        </tr>
      </thead>
      {partsOf(group.models).map(({ from, models }) => (
        <LazyPart
          key={from}
          as="tbody"
          height={models.length * ROW_PX}
          eager={isEager(first && from === 0, models, open)}
        >
          {() =>
            models.map((model) => (
              <ModelRow key={model.name} model={model} channel={group.key} ratio={ratio} onOpen={onOpen} />
            ))
          }
        </LazyPart>
      ))}
    </table>
  )
}

function Cards({ group, ratio, first, open, onOpen }: GroupSectionProps) {
  const t = useTexts(modelTexts)
  return (
    <ul aria-label={t.tableOf(group.label)}>
      {partsOf(group.models).map(({ from, models }) => (
        <LazyPart
          key={from}
          as="li"
          height={models.length * cardPx(ratio)}
          eager={isEager(first && from === 0, models, open)}
        >
          {() =>
            models.map((model) => (
              <ModelCard key={model.name} model={model} channel={group.key} ratio={ratio} onOpen={onOpen} />
            ))
          }
        </LazyPart>
      ))}
    </ul>
  )
}

function isEager(inSight: boolean, models: readonly ModelEntry[], open: string | undefined): boolean {
  return inSight || (open !== undefined && models.some(({ name }) => name === open))
}

function partsOf(models: readonly ModelEntry[]) {
  return Array.from({ length: Math.ceil(models.length / PART) }, (_, index) => ({
    from: index * PART,
    models: models.slice(index * PART, (index + 1) * PART),
  }))
}

/** Parts this far outside the window are already drawn, in pixels: a flick of the wheel. */
const AHEAD_PX = 600

interface LazyPartProps {
  /** In pixels. It must be exact, or what follows moves when the part is drawn. */
  readonly height: number
  /** Draws at once: for the part that is visible first, or that a link points to. */
  readonly eager: boolean
  readonly as: 'tbody' | 'li'
  readonly children: () => ReactNode
}

/** Draws its content when it comes near the window and then keeps it, so that a long list costs only what is seen of it. */
function LazyPart({ height, eager, as: Element, children }: LazyPartProps) {
  const place = useRef<HTMLTableSectionElement & HTMLLIElement>(null)
  const [near, setNear] = useState(false)
  const drawn = eager || near
  useEffect(() => {
    if (drawn || place.current === null) return
    const margin = `${AHEAD_PX}px`
    // Two margins, because the page scrolls in the window on phones and in its main part elsewhere.
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true)
      },
      { rootMargin: margin, scrollMargin: margin },
    )
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [drawn])
  if (drawn) return <Element ref={place}>{children()}</Element>
  const gap = <div style={{ height }} />
  return (
    <Element ref={place} aria-hidden="true">
      {Element === 'tbody' ? (
        <tr>
          <td className="p-0">{gap}</td>
        </tr>
      ) : (
        gap
      )}
    </Element>
  )
}
