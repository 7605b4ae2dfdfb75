import type { CatalogueEntry } from './catalogue-entry.ts'

export const IMPORT_ERRORS = {
  import_running: {
    status: 409,
    type: 'invalid_request_error',
    retry: 'later',
    text: 'A check or an import is already running. Wait until it has finished, or stop it.',
    chinese: '已有检查或导入正在进行，请等待其结束，或将其停止。',
  },
  upload_running: {
    status: 409,
    type: 'invalid_request_error',
    retry: 'later',
    text: 'Another file is being uploaded. Wait until it has finished.',
    chinese: '正在上传另一个文件，请等待其结束。',
  },
  upload_gone: {
    status: 404,
    type: 'invalid_request_error',
    retry: 'changed',
    text: 'The uploaded file was not found: it was removed after its import or after an hour without use, or it is on another replica. Upload it again.',
    chinese: '上传的文件不在此处：它在导入后或一小时未使用后已被删除，或位于另一个副本上。请重新上传。',
  },
  upload_not_sqlite: {
    status: 400,
    type: 'invalid_request_error',
    retry: 'changed',
    text: 'The file is not a SQLite database.',
    chinese: '该文件不是 SQLite 数据库。',
  },
  upload_no_room: {
    status: 507,
    type: 'sluice_error',
    retry: 'later',
    text: 'There is not enough space on the gateway’s disk: {left} bytes must stay free.',
    chinese: '网关的磁盘空间不足：必须保留 {left} 字节的可用空间。',
  },
} as const satisfies Readonly<Record<string, CatalogueEntry>>
