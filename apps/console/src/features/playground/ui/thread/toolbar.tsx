export function Toolbar() {
  return null
}
