export const en = {
  title: 'Playground',
  settings: 'Settings of the playground',
  showSettings: 'Show settings',
  hideSettings: 'Hide settings',
  newConversation: 'New conversation',
  compare: 'Compare two models',
  focusMode: 'Focus mode',
  clear: 'Clear conversation',
  cleared: 'Conversation cleared',
  undo: 'Undo',
  more: 'More actions',
}
