export const en = {
  /** Where nothing says what went wrong. */
  send: 'Failed to send message',
  regenerate: 'Failed to regenerate message',
  noBody: 'No response body',
  streamError: 'Stream error',
  broken: 'The connection broke before the reply was complete.',
  cut: 'The stream ended before the reply was complete.',
  silent: (minutes: string) => `Nothing arrived for ${minutes} minutes, so the reply was ended.`,
  tooLong: (characters: string) => `The reply was ended at ${characters} characters, the most that is shown here.`,
  unreadable: 'A part of the reply could not be read.',
}
