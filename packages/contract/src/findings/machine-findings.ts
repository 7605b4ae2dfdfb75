import type { FindingEntry } from './finding-entry.ts'

export const MACHINE_FINDINGS = {
  'clock.ok': {
    severity: 'ok',
    finding: 'The clocks of the gateway and the database agree.',
    chinese: { finding: '网关与数据库的时钟一致。' },
  },
  'clock.differs': {
    severity: 'warning',
    finding: 'The clock of {subject} differs from the database’s by {seconds} s.',
    remedy:
      'Set the clock of that machine and keep it in sync with a time service such as chrony. Until then the gateway uses the database’s time.',
    chinese: {
      finding: '{subject} 的时钟与数据库相差 {seconds} 秒。',
      remedy: '请校正该机器的时钟，并用 chrony 等时间服务保持准确。在此期间网关以数据库时间为准。',
    },
  },
  'clock.jumped': {
    severity: 'warning',
    finding: 'The clock of {subject} was changed by {seconds} s while the gateway was running.',
    remedy:
      'Find out what changes it: a time service that sets the clock in one step, or a virtual machine that was paused. Charges from that time may have wrong dates.',
    chinese: {
      finding: '网关运行期间，{subject} 的时钟被改动了 {seconds} 秒。',
      remedy: '请查明原因：时间服务一次性调整，或虚拟机曾被暂停。这段时间的费用日期可能有误。',
    },
  },
  'clock.rows_ahead': {
    severity: 'warning',
    finding: 'Rows of {subject} are dated in the future, up to {until}.',
    remedy:
      'A clock was ahead when they were written. Check that it is correct now. Nothing depends on those dates, and the rows stay as they are.',
    chinese: {
      finding: '{subject} 中有日期在未来的记录，最晚为 {until}。',
      remedy: '写入时某个时钟超前。请确认时钟现已准确；系统不会等待该日期，这些记录保持原样。',
    },
  },
  'disk.ok': {
    severity: 'ok',
    finding: '{free} is free in {subject}; the database uses {size}.',
    chinese: { finding: '{subject} 尚有 {free} 可用；数据库占用 {size}。' },
  },
  'disk.full': {
    severity: 'problem',
    finding: 'Only {free} of disk space is left in {subject}.',
    remedy: 'Free some space now. When the disk is full, charges cannot be recorded and requests are refused.',
    chinese: {
      finding: '{subject} 仅剩 {free} 可用。',
      remedy: '请立即腾出空间。磁盘写满后费用无法落盘，请求会被拒绝。',
    },
  },
  'disk.low': {
    severity: 'warning',
    finding: 'Only {free} of disk space is left in {subject}.',
    remedy:
      'Free some space, or move the folder to a larger disk. A backup needs as much space as the database, {size}.',
    chinese: {
      finding: '{subject} 仅剩 {free} 可用。',
      remedy: '请腾出空间或更换更大的磁盘。一次备份所需空间与数据库相同，为 {size}。',
    },
  },
  'disk.network': {
    severity: 'warning',
    finding: '{subject} is on a network file system ({type}).',
    remedy:
      'Move the data folder to a local disk, because SQLite locks are unreliable on network file systems; or use PostgreSQL.',
    chinese: {
      finding: '{subject} 位于网络文件系统（{type}）。',
      remedy: '请将数据目录移到本地磁盘，SQLite 的锁在网络文件系统上不可靠；或改用 PostgreSQL。',
    },
  },
  'disk.wal': {
    severity: 'warning',
    finding: 'The write-ahead log {subject} has grown to {size} and does not shrink.',
    remedy:
      'Something has been reading the database for a long time: an export, another SQLite client, or another backup tool. Stop it; the log shrinks at the next clean shutdown.',
    chinese: {
      finding: '预写日志 {subject} 已增长到 {size}，且没有缩小。',
      remedy: '有程序长时间读取数据库：导出、其他 SQLite 客户端或其他备份方式。请结束它；正常停止后日志会缩小。',
    },
  },
  'disk.records_aside': {
    severity: 'warning',
    finding: '{subject} is a record log of an earlier version that was damaged or belongs to another database.',
    remedy:
      'Search the gateway’s log for "a charge needs attention". Remove the file once you know why it is there; nothing reads it.',
    chinese: {
      finding: '{subject} 是早期版本留下的费用记录文件，已损坏或属于其他数据库。',
      remedy: '请在网关日志中查找 “a charge needs attention”。查明原因后即可删除该文件，没有程序会读取它。',
    },
  },
  'disk.left_behind': {
    severity: 'note',
    finding: '{subject} is left over and takes up {size}.',
    remedy: 'Remove it if you no longer need it.',
    chinese: { finding: '{subject} 是遗留文件，占用 {size}。', remedy: '如不再需要，可以删除。' },
  },
  'disk.open_folder': {
    severity: 'warning',
    finding: 'Every user of this machine can read {subject}.',
    remedy: 'Remove their access with chmod o-rwx on the folder.',
    chinese: {
      finding: '本机所有用户都能读取 {subject}。',
      remedy: '请取消其他用户的权限：对该目录执行 chmod o-rwx。',
    },
  },
  'disk.writable_folder': {
    severity: 'problem',
    finding: 'Other users of this machine can write to {subject}.',
    remedy:
      'Remove their access with chmod go-w on the folder. A user who can write there can replace the database and the key.',
    chinese: {
      finding: '本机其他用户可以写入 {subject}。',
      remedy: '请取消他们的权限：对该目录执行 chmod go-w。能写入该目录的人可以替换数据库和密钥。',
    },
  },
  'disk.open_key': {
    severity: 'problem',
    finding: 'Every user of this machine can read the master key in {subject}.',
    remedy:
      'Run chmod 600 on the file. If someone may have read it, rotate the key and replace the keys of the channels.',
    chinese: {
      finding: '本机所有用户都能读取 {subject} 中的主密钥。',
      remedy: '请对该文件执行 chmod 600。若可能已被他人读取，请轮换主密钥并更换渠道密钥。',
    },
  },
  'machine.ok': {
    severity: 'ok',
    finding: 'Open files, memory and cores are sufficient for the configured limits.',
    chinese: { finding: '可打开文件数、内存和核心数满足所设的限制。' },
  },
  'machine.files': {
    severity: 'warning',
    finding:
      '{subject} can open {limit} files; SLUICE_MAX_REQUESTS={wanted} needs {enough}, so only {requests} requests are admitted.',
    remedy: 'Raise the limit of open files (ulimit -n, LimitNOFILE, --ulimit), or lower SLUICE_MAX_REQUESTS.',
    chinese: {
      finding:
        '{subject} 可打开 {limit} 个文件；SLUICE_MAX_REQUESTS={wanted} 需要 {enough} 个，因此只接纳 {requests} 个请求。',
      remedy: '请提高可打开文件数的上限（ulimit -n、LimitNOFILE、--ulimit），或降低 SLUICE_MAX_REQUESTS。',
    },
  },
  'machine.memory': {
    severity: 'warning',
    finding:
      '{subject} may use {limit} of memory but can need {needed}: SLUICE_BODY_MEMORY plus SLUICE_ANSWER_MEMORY in each of {processes} processes.',
    remedy:
      'Raise the memory limit of the container, or lower SLUICE_BODY_MEMORY, SLUICE_ANSWER_MEMORY or SLUICE_PROCESSES.',
    chinese: {
      finding:
        '{subject} 的内存上限为 {limit}，而 {processes} 个进程各自的 SLUICE_BODY_MEMORY 与 SLUICE_ANSWER_MEMORY 共可能需要 {needed}。',
      remedy: '请提高容器的内存上限，或降低 SLUICE_BODY_MEMORY、SLUICE_ANSWER_MEMORY 或 SLUICE_PROCESSES。',
    },
  },
  'machine.processes': {
    severity: 'note',
    finding: '{subject} runs {processes} gateways on {cores} cores.',
    remedy:
      'Lower SLUICE_PROCESSES, or stop some gateways: running more of them than there are cores costs memory and gains nothing.',
    chinese: {
      finding: '{subject} 在 {cores} 个核心上运行 {processes} 个网关进程。',
      remedy: '请降低 SLUICE_PROCESSES 或停止一部分：进程多于核心只会多占内存。',
    },
  },
  'machine.shares': {
    severity: 'note',
    finding:
      '{subject} runs {processes} gateways without Valkey: each enforces its share of every limit, so a client that keeps using one connection gets only one share.',
    remedy: 'Set SLUICE_VALKEY_URL, so that limits are exact for all of them together.',
    chinese: {
      finding:
        '{subject} 运行 {processes} 个网关进程且未使用 Valkey：每个进程只执行各项限制中自己的份额，保持单个连接的客户端只会遇到其中一个。',
      remedy: '请设置 SLUICE_VALKEY_URL，使各项限制在所有进程间精确生效。',
    },
  },
  'replicas.ok': {
    severity: 'ok',
    finding: 'Running gateways: {count}. They are consistent with each other.',
    chinese: { finding: '正在运行且配置一致的网关：{count} 个。' },
  },
  'replicas.none': {
    severity: 'note',
    finding: 'No gateway is running on this database.',
    remedy: 'Checks that need a running gateway were skipped. Start one and repeat the command for a complete result.',
    chinese: {
      finding: '没有网关在使用该数据库。',
      remedy: '只有运行中的网关才能显示的内容已略过。请启动网关后再次运行。',
    },
  },
  'replicas.silent': {
    severity: 'note',
    finding: '{subject} does not report its state, because it runs an older version.',
    remedy: 'Finish the upgrade of all replicas.',
    chinese: { finding: '{subject} 的版本较旧，没有说明自身情况。', remedy: '请完成所有副本的升级。' },
  },
  'replicas.versions': {
    severity: 'warning',
    finding: 'Replicas run different versions: {versions}.',
    remedy: 'Finish the upgrade: replicas of two versions should run together for minutes, not days.',
    chinese: { finding: '各副本的版本不同：{versions}。', remedy: '请完成升级：两个版本只应短暂并存。' },
  },
  'replicas.keys': {
    severity: 'problem',
    finding: '{subject} does not have master key {key}, with which another replica encrypts.',
    remedy: 'Give all replicas the same SLUICE_MASTER_KEY, the newest key first, and restart them.',
    chinese: {
      finding: '{subject} 没有主密钥 {key}，而另一个副本正用它加密。',
      remedy: '请为所有副本设置相同的 SLUICE_MASTER_KEY（最新的在前），然后重启。',
    },
  },
  'replicas.settings': {
    severity: 'warning',
    finding: 'Replicas have different values for {subject}.',
    remedy: 'Give all replicas the same value and restart them; until then users get one or the other at random.',
    chinese: {
      finding: '各副本的 {subject} 不同。',
      remedy: '请为所有副本设置相同的值并重启：用户会随机分到其中之一。',
    },
  },
} as const satisfies Readonly<Record<string, FindingEntry>>
