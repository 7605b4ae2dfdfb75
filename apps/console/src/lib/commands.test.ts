import { describe, expect, it, vi } from 'vitest'
import { byKeys, type Command, createCommandRegistry } from './commands.ts'

const command = (id: string, keys: string): Command => ({ id, keys, label: id, group: 'Test', run: () => undefined })

describe('commands', () => {
  it('exist while their owner is mounted', () => {
    const registry = createCommandRegistry()
    const leave = registry.register([command('tokens', 'g t')])
    registry.register([command('help', 'Shift+?')])
    expect(registry.get().map(({ id }) => id)).toEqual(['tokens', 'help'])
    leave()
    expect(registry.get().map(({ id }) => id)).toEqual(['help'])
  })

  it('give up their keys to a later registration and get them back', () => {
    const registry = createCommandRegistry()
    registry.register([command('search in page', '/')])
    const leave = registry.register([command('search in panel', '/')])
    expect(byKeys(registry.get()).get('/')?.id).toBe('search in panel')
    leave()
    expect(byKeys(registry.get()).get('/')?.id).toBe('search in page')
  })

  it('notify subscribers of changes', () => {
    const registry = createCommandRegistry()
    const listener = vi.fn<() => void>()
    registry.subscribe(listener)
    registry.register([command('a', 'a')])()
    expect(listener).toHaveBeenCalledTimes(2)
  })
})
