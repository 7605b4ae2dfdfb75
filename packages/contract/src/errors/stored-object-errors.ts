import type { CatalogueEntry } from './catalogue-entry.ts'

export const STORED_OBJECT_ERRORS = {
  response_not_kept: {
    status: 400,
    type: 'invalid_request_error',
    retry: 'changed',
    text: '{field}: "{id}" is not stored for this user; send the whole conversation in input, with "store": false.',
    chinese: '{field}：没有为该用户保存 ID 为 "{id}" 的内容；请在 input 中发送完整对话，并设置 "store": false。',
  },
  previous_response_not_found: {
    status: 400,
    type: 'invalid_request_error',
    retry: 'changed',
    text: '{field}: the response "{id}" is no longer available on this connection; send the whole conversation in input, without this field.',
    chinese: '{field}：该连接已不再保存响应 "{id}"；请去掉该字段，并在 input 中发送完整对话。',
  },
  response_out_of_reach: {
    status: 400,
    type: 'invalid_request_error',
    retry: 'changed',
    text: '{field}: the channel that stores "{id}" cannot serve this request for the model "{model}"; send the whole conversation in input.',
    chinese: '{field}：ID "{id}" 下保存的内容无法用模型 "{model}" 和请求的其余部分取得；请在 input 中发送完整对话。',
  },
  object_not_kept: {
    status: 400,
    type: 'invalid_request_error',
    retry: 'changed',
    text: '{field}: "{id}" was not created through this gateway by this user. All users share the provider account, so send the content itself, or ask the operator to share the object.',
    chinese:
      '{field}："{id}" 不是该用户通过本网关创建的。所有用户共用供应商账户，请直接发送内容，或请运营者共享该对象。',
  },
  thread_not_found: {
    status: 404,
    type: 'invalid_request_error',
    retry: 'changed',
    text: '{field}: this user has no thread that continues from "{id}"; send the whole conversation with "thread": {"type": "create"}.',
    chinese: '{field}：该用户没有从 "{id}" 继续的会话；请用 "thread": {"type": "create"} 发送完整对话。',
  },
  thread_unsupported_request: {
    status: 400,
    type: 'invalid_request_error',
    retry: 'changed',
    text: 'thread: this model’s provider does not support threads. Leave it out and send the whole conversation.',
    chinese: 'thread：该模型的供应商不保存会话；请去掉它并发送完整对话。',
  },
  response_missing: {
    status: 404,
    type: 'invalid_request_error',
    retry: 'never',
    text: 'No response with the id "{id}" is stored for this user.',
    chinese: '没有为该用户保存 ID 为 "{id}" 的响应。',
  },
} as const satisfies Readonly<Record<string, CatalogueEntry>>
