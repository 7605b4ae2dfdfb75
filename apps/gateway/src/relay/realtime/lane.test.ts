// @module-tag slow
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { FrameSocket } from '../../outbound/frame-socket.ts'
import { Lane } from './lane.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/** Both ends of a connection; `near` is the gateway's. */
async function pair(server: WebSocketServer): Promise<{ readonly near: WebSocket; readonly far: WebSocket }> {
  const opened = once(server, 'connection') as Promise<[WebSocket]>
  const far = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const [near] = await opened
  await once(far, 'open')
  closers.push(() => far.terminate())
  return { near, far }
}

const FRAMES = 1_000
const ANSWER = 'x'.repeat(100_000)
/** Maximum bytes that may wait: a full side, plus the answers to the frames of one read. */
const LIMIT = 20_000_000

test('a sender that does not read the replies to its frames is held back, and continues when it has caught up', async () => {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  closers.push(() => server.close())
  await once(server, 'listening')
  const [sender, receiver] = [await pair(server), await pair(server)]
  const [from, to] = [new FrameSocket(sender.near), new FrameSocket(receiver.near)]
  const tell = () => {
    from.send(ANSWER)
    return undefined
  }
  const lane = new Lane(from, to, tell, (error) => expect.unreachable(String(error)))
  from.onDrain = () => lane.goOn()
  lane.open()
  let reported = 0
  sender.far.on('message', () => (reported += 1))
  sender.far.pause()
  let most = 0
  const watch = setInterval(() => (most = Math.max(most, sender.near.bufferedAmount)), 1)
  closers.push(() => clearInterval(watch))
  for (let at = 0; at < FRAMES; at++) sender.far.send('y'.repeat(1_000))
  await expect.poll(() => from.isFull).toBe(true)
  await expect.poll(() => sender.near.isPaused).toBe(true)
  sender.far.resume()
  await expect.poll(() => reported).toBe(FRAMES)
  expect(most).toBeLessThan(LIMIT)
})
