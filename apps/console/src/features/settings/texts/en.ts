export const en = {
  title: 'Settings',
  tabs: { personal: 'Personal', operation: 'Operation', system: 'System', other: 'Other' },
}
