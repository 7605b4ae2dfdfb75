export function SetupSidebar() {
  return null
}
