export const en = {
  cancelled: 'Request Cancelled',
}
