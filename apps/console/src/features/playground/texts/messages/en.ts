export const en = {
  messages: 'Messages',
  jumpToNewest: 'Jump to newest',
}
