import { isIP } from 'node:net'

/** A token's address list: IPs and CIDR ranges of both families, comma-separated; null when there is none. */
export function parseSubnet(text: string | null): { readonly subnet: string | null } | { readonly problem: string } {
  const entries = (text ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  const wrong = entries.find((entry) => !isAddressOrRange(entry))
  if (wrong !== undefined) return { problem: `"${wrong.slice(0, 60)}" is neither an IP address nor a CIDR range` }
  return { subnet: entries.length === 0 ? null : entries.join(',') }
}

function isAddressOrRange(entry: string): boolean {
  const [address = '', prefix, ...more] = entry.split('/')
  const family = isIP(address)
  if (family === 0 || more.length > 0 || address.includes('%')) return false
  return prefix === undefined || (/^(0|[1-9]\d{0,2})$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128))
}
