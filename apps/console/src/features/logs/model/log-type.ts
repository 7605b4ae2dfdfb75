import { LOG_TYPE } from '@sluice/contract/log'

export type LogTypeName = Exclude<keyof typeof LOG_TYPE, 'all'>

/** In the order of their numbers. */
export const LOG_TYPE_NAMES: readonly LogTypeName[] = ['topup', 'consume', 'management', 'system', 'test']

/** `undefined` for numbers that this console does not know. */
export function logTypeName(type: number): LogTypeName | undefined {
  return LOG_TYPE_NAMES.find((name) => LOG_TYPE[name] === type)
}

export function isRequest(type: number): boolean {
  return type === LOG_TYPE.consume || type === LOG_TYPE.test
}
