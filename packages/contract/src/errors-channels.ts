import type { CatalogueEntry } from './errors.ts'

/** The part of the catalogue about channels and what is done with many of them. */
export const CHANNEL_ERRORS = {
  job_running: { status: 409, type: 'invalid_request_error', retry: 'later', text: '{what} is running already.' },
  channel_changed: {
    status: 409,
    type: 'invalid_request_error',
    retry: 'changed',
    text: 'The channel was changed by somebody else; load it again.',
  },
  channel_key_lost: {
    status: 400,
    type: 'invalid_request_error',
    retry: 'changed',
    text: 'The key of this channel cannot be opened with the present master key.',
  },
  last_key: {
    status: 400,
    type: 'invalid_request_error',
    retry: 'never',
    text: 'No other key of this channel is on; switch the channel off or delete it instead.',
  },
  balance_unsupported: {
    status: 400,
    type: 'invalid_request_error',
    retry: 'never',
    text: 'Channels of type {type} have no balance that can be asked for.',
  },
  balance_unread: {
    status: 502,
    type: 'upstream_error',
    retry: 'later',
    text: 'The balance could not be read from the provider: {reason}.',
  },
  models_unsupported: {
    status: 400,
    type: 'invalid_request_error',
    retry: 'never',
    text: 'Channels of type {type} with this kind of key have no list of models that can be asked for.',
  },
  models_unread: {
    status: 502,
    type: 'upstream_error',
    retry: 'later',
    text: 'The models could not be read from the provider: {reason}.',
  },
  raw_channel_missing: {
    status: 404,
    type: 'invalid_request_error',
    retry: 'never',
    text: 'There is no Proxy channel {channel} that this token may use.',
  },
  raw_path_refused: {
    status: 400,
    type: 'invalid_request_error',
    retry: 'changed',
    text: 'The path after the channel must be plain: no "." or ".." segments, no backslashes, no broken escapes.',
  },
  response_not_kept: {
    status: 400,
    type: 'invalid_request_error',
    retry: 'changed',
    text: '{field}: nothing with the id "{id}" is kept for this user; send the whole conversation in input, with "store": false.',
  },
  response_out_of_reach: {
    status: 400,
    type: 'invalid_request_error',
    retry: 'changed',
    text: '{field}: what is kept under "{id}" cannot be reached with the model "{model}" and the rest of the request; send the whole conversation in input.',
  },
  object_not_kept: {
    status: 400,
    type: 'invalid_request_error',
    retry: 'changed',
    text: '{field}: "{id}" was not made through this gateway by this user. All users share the account at the provider, so send the content itself; or ask the operator to share the object.',
  },
  thread_not_found: {
    status: 404,
    type: 'invalid_request_error',
    retry: 'changed',
    text: '{field}: no thread of this user goes on from "{id}"; send the whole conversation with "thread": {"type": "create"}.',
  },
  thread_unsupported_request: {
    status: 400,
    type: 'invalid_request_error',
    retry: 'changed',
    text: 'thread: the provider of this model holds no threads; send the whole conversation without it.',
  },
  response_missing: {
    status: 404,
    type: 'invalid_request_error',
    retry: 'never',
    text: 'No response with the id "{id}" is kept for this user.',
  },
} as const satisfies Record<string, CatalogueEntry>
