/**
 * Measures what other clients experience from a busy gateway, in a separate process that nothing delays: a health check and a paid
 * call in turn, each on a new connection. Arguments: the gateway's address, a key, the number of rounds. Prints the longest time of
 * each in milliseconds.
 */
const [url, key, rounds] = process.argv.slice(2)
const PATIENCE_MS = 60_000
const body = JSON.stringify({ model: 'emu-fast', stream: true, messages: [{ role: 'user', content: 'Hello' }] })
let [health, paid] = [0, 0]
// Excludes this process's own cost of a first request.
await (await fetch(`${url}/healthz`, { headers: { connection: 'close' } })).text()
for (let at = 0; at < Number(rounds); at++) {
  const began = performance.now()
  const checked = await fetch(`${url}/healthz`, {
    headers: { connection: 'close' },
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
  await checked.text()
  const between = performance.now()
  const reply = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', connection: 'close' },
    body,
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
  const text = await reply.text()
  if (checked.status !== 200 || reply.status !== 200 || !text.includes('[DONE]')) {
    throw new Error(`${checked.status}, ${reply.status}: ${text}`)
  }
  health = Math.max(health, between - began)
  paid = Math.max(paid, performance.now() - between)
}
process.stdout.write(JSON.stringify({ health: Math.round(health), paid: Math.round(paid) }))
