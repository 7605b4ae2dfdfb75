/** Reads the few needed fields of the XML replies: elements without attributes that contain texts. */

/** The text of the first element with that name, with its entities resolved. */
export function textOf(xml: string, name: string): string | undefined {
  const match = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)
  return match === null ? undefined : unescaped(match[1] ?? '')
}

/** The content of every element with that name; such elements are not nested. */
export function elementsOf(xml: string, name: string): readonly string[] {
  return [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'gs'))].map(([, content = '']) => content)
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

function unescaped(text: string): string {
  return text.replaceAll(/&(?:(lt|gt|quot|apos|amp)|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi, (whole, named, decimal, hex) => {
    if (typeof named === 'string') return ENTITIES[named.toLowerCase()] ?? whole
    const point = typeof decimal === 'string' ? Number(decimal) : Number.parseInt(String(hex), 16)
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole
  })
}
