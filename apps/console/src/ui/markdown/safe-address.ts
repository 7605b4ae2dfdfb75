/** Links with other schemes, such as scripts and files, are shown as text. */
const LINK_PROTOCOLS: readonly string[] = ['http:', 'https:', 'mailto:']
/** Pictures that cannot contain scripts. The content security policy allows no other way to load one. */
const PICTURE_DATA = /^data:image\/(png|jpeg|gif|webp|avif);base64,[\w+/=]*$/

export interface SafeLink {
  readonly href: string
  /** True for a link that leaves this console: it opens in a new tab, and the target does not learn where the visitor came from. */
  readonly foreign: boolean
}

/** Parsed as the browser does; `undefined` if the link may not be followed (class S14). `base`: for links without a host. */
export function safeLink(address: string, base: string): SafeLink | undefined {
  const url = URL.parse(address, base)
  if (url === null || !LINK_PROTOCOLS.includes(url.protocol)) return undefined
  return { href: url.href, foreign: url.origin !== new URL(base).origin }
}

/** Allows https, our own host, and small data of a raster format. */
export function safePicture(address: string, base: string): string | undefined {
  if (PICTURE_DATA.test(address)) return address
  const url = URL.parse(address, base)
  const allowed = url?.protocol === 'https:' || (url !== null && url.origin === new URL(base).origin)
  return allowed ? url?.href : undefined
}
