import { type MouseEvent, useEffect, useState } from 'react'

export interface SectionLink {
  readonly id: string
  readonly title: string
}

/** Marks the section that is being read, without changing the address. */
export function SectionNav({ label, sections }: { label: string; sections: readonly SectionLink[] }) {
  const reading = useSectionInView(sections)
  const go = (event: MouseEvent, id: string) => {
    event.preventDefault()
    const heading = document.getElementById(id)
    heading?.scrollIntoView({ behavior: 'smooth', block: 'start' })
    heading?.querySelector('h2')?.focus({ preventScroll: true })
  }
  return (
    <nav aria-label={label} className="sticky top-4 flex flex-col gap-0.5 self-start">
      {sections.map(({ id, title }) => (
        <a
          key={id}
          href={`#${id}`}
          aria-current={reading === id ? 'true' : undefined}
          onClick={(event) => go(event, id)}
          className="text-muted hover:bg-hover hover:text-ink aria-[current]:border-accent aria-[current]:text-ink border-l-2 border-transparent px-3 py-1.5 text-sm aria-[current]:font-medium"
        >
          {title}
        </a>
      ))}
    </nav>
  )
}

function useSectionInView(sections: readonly SectionLink[]): string | undefined {
  const ids = sections.map(({ id }) => id).join(' ')
  const [inView, setInView] = useState<readonly string[]>([])
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) =>
        setInView((before) =>
          entries.reduce(
            (now, { target, isIntersecting }) =>
              isIntersecting ? [...new Set([...now, target.id])] : now.filter((id) => id !== target.id),
            before,
          ),
        ),
      { rootMargin: '0px 0px -66% 0px' },
    )
    for (const id of ids.split(' ')) {
      const element = document.getElementById(id)
      if (element !== null) observer.observe(element)
    }
    return () => observer.disconnect()
  }, [ids])
  return sections.find(({ id }) => inView.includes(id))?.id ?? sections[0]?.id
}
