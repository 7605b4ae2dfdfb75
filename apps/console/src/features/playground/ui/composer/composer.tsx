export function Composer() {
  return null
}
