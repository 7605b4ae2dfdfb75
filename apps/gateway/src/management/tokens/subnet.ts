import { isAddressRange } from '../../edge/address-range.ts'

/** A token's address list: IPs and CIDR ranges of both families, comma-separated; null for an empty list. */
export function parseSubnet(text: string | null): { readonly subnet: string | null } | { readonly problem: string } {
  const entries = (text ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  const wrong = entries.find((entry) => !isAddressRange(entry))
  if (wrong !== undefined) return { problem: `"${wrong.slice(0, 60)}" is neither an IP address nor a CIDR range` }
  return { subnet: entries.length === 0 ? null : entries.join(',') }
}
