export const en = {
  form: 'New message',
  message: 'Message',
  placeholder: (model: string) => (model === '' ? 'Ask anything' : `Ask ${model}`),
  send: 'Send',
  stop: 'Stop',
  generating: 'Generating',
  hint: 'Enter sends, Shift and Enter begin a new line',
  nothingToSend: 'Write something first.',
  noToken: 'Select a token first.',
  noModel: 'Select a model first.',
  models: (names: string) => `Asked: ${names}. Open the settings`,
}
