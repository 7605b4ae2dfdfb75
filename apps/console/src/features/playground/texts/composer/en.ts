export const en = {
  form: 'New message',
  message: 'Message',
  placeholder: (models: string) => (models === '' ? 'Ask anything' : `Ask ${models}`),
  send: 'Send',
  stop: 'Stop',
  generating: 'Generating',
  nothingToSend: 'Write something first.',
  imagesPending: 'A picture is still being processed.',
  noToken: 'Select a token first.',
  noModel: 'Select a model first.',
}
