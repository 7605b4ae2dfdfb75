export const en = {
  token: 'API token',
  model: 'Model',
  secondModel: 'Second model',
}
