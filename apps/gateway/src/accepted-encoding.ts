/** True when a header `Accept-Encoding` lists the coding without `q=0`. */
export function accepts(header: string, coding: string): boolean {
  return header.split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';')
    return name.trim().toLowerCase() === coding && !parameters.some((text) => /^\s*q=0(\.0+)?\s*$/i.test(text))
  })
}
