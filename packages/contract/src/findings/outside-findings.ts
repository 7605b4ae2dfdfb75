import type { FindingEntry } from './finding-entry.ts'

export const OUTSIDE_FINDINGS = {
  'address.ok': {
    severity: 'ok',
    finding: 'This installation answers at {subject}.',
    chinese: { finding: '本系统在 {subject} 应答。' },
  },
  'address.ok_until': {
    severity: 'ok',
    finding: 'This installation answers at {subject}; its certificate is valid until {until}.',
    chinese: { finding: '本系统在 {subject} 应答；证书有效期至 {until}。' },
  },
  'address.unset': {
    severity: 'note',
    finding: 'ServerAddress is still {subject}.',
    remedy:
      'Before others use the gateway, set it to the address that users open: links in emails and sign-in redirects lead there.',
    link: '/settings?tab=operation&find=ServerAddress',
    chinese: {
      finding: 'ServerAddress 仍为 {subject}。',
      remedy: '在他人使用之前，请设为用户访问的地址：邮件中的链接和第三方登录都指向它。',
    },
  },
  'address.local': {
    severity: 'warning',
    finding: 'ServerAddress is {subject}, which other machines cannot reach, although the gateway listens for them.',
    remedy: 'Set it to the address that users open: links in emails and sign-in redirects lead there.',
    link: '/settings?tab=operation&find=ServerAddress',
    chinese: {
      finding: 'ServerAddress 为 {subject}，其他机器无法访问，而网关正为它们监听。',
      remedy: '请设为用户访问的地址：邮件中的链接和第三方登录都指向它。',
    },
  },
  'address.plain': {
    severity: 'warning',
    finding: 'ServerAddress is {subject}, without TLS.',
    remedy:
      'Put a proxy with a certificate in front of the gateway and set ServerAddress to its https address. Until then passwords and keys are sent in clear text, and browsers do not offer passkeys.',
    link: '/settings?tab=operation&find=ServerAddress',
    chinese: {
      finding: 'ServerAddress 为 {subject}，没有 TLS。',
      remedy:
        '请在网关前部署带证书的代理，并将 ServerAddress 设为 https：否则密码和密钥以明文传输，浏览器也不提供通行密钥。',
    },
  },
  'address.path_unset': {
    severity: 'problem',
    finding:
      'ServerAddress is {subject}, and SLUICE_BASE_PATH is not set: the console requests its files outside {path}.',
    remedy:
      'Set SLUICE_BASE_PATH to {path} and restart. If users open the gateway without a path, correct ServerAddress instead.',
    link: '/settings?tab=operation&find=ServerAddress',
    chinese: {
      finding: 'ServerAddress 为 {subject}，但未设置 SLUICE_BASE_PATH：控制台会在 {path} 之外查找其文件。',
      remedy: '请将 SLUICE_BASE_PATH 设为 {path} 并重启。若用户访问网关时不带路径，请改为更正 ServerAddress。',
    },
  },
  'address.path_differs': {
    severity: 'problem',
    finding: 'SLUICE_BASE_PATH is {base}, and ServerAddress is {subject}, which has another path or none.',
    remedy:
      'Set both to the path that users open: links in emails and sign-in with providers use ServerAddress, and the console and its cookies use SLUICE_BASE_PATH.',
    link: '/settings?tab=operation&find=ServerAddress',
    chinese: {
      finding: 'SLUICE_BASE_PATH 为 {base}，而 ServerAddress 为 {subject}，其路径不同或没有路径。',
      remedy:
        '请将两者都设为用户访问的路径：邮件中的链接和第三方登录使用 ServerAddress，控制台及其 Cookie 使用 SLUICE_BASE_PATH。',
    },
  },
  'address.unreachable': {
    severity: 'warning',
    finding: '{subject} cannot be reached from here: {reason}.',
    remedy:
      'Check the name, the proxy and the firewall. If only this machine cannot reach it, users are not affected, but the proxy could not be checked.',
    link: '/settings?tab=operation&find=ServerAddress',
    chinese: {
      finding: '从本机无法访问 {subject}：{reason}。',
      remedy: '请检查域名、代理和防火墙。若只是本机无法访问，用户不受影响，但无法检查代理的行为。',
    },
  },
  'address.elsewhere': {
    severity: 'problem',
    finding: '{subject} is answered by something other than this installation (status {status}).',
    remedy:
      'Correct ServerAddress, or the proxy that serves it: it must pass /api on to this gateway, including headers it does not recognise. Replicas of an older version cannot answer this check.',
    link: '/settings?tab=operation&find=ServerAddress',
    chinese: {
      finding: '在 {subject} 应答的不是本系统（状态码 {status}）。',
      remedy:
        '请更正 ServerAddress 或其代理：代理必须将 /api 及其不认识的请求头转发给本网关。旧版本副本无法识别该检查。',
    },
  },
  'address.certificate': {
    severity: 'problem',
    finding: 'The certificate of {subject} is not trusted: {reason}.',
    remedy: 'Install a certificate for that name from an authority that clients trust, with the whole chain.',
    chinese: {
      finding: '{subject} 的证书不受信任：{reason}。',
      remedy: '请安装由受信机构为该域名签发的证书，并包含完整证书链。',
    },
  },
  'address.expired': {
    severity: 'problem',
    finding: 'The certificate of {subject} expired on {until}.',
    remedy: 'Renew the certificate, and find out why it was not renewed automatically.',
    chinese: { finding: '{subject} 的证书已于 {until} 过期。', remedy: '请续期证书，并查明为何没有自动续期。' },
  },
  'address.expires': {
    severity: 'warning',
    finding: 'The certificate of {subject} expires on {until}; days left: {days}.',
    remedy: 'Renew the certificate. If it should be renewed automatically, check the log of the renewal tool.',
    chinese: {
      finding: '{subject} 的证书将在 {days} 天后（{until}）过期。',
      remedy: '请续期证书；若应自动续期，请查看相应程序的日志。',
    },
  },
  'address.date': {
    severity: 'warning',
    finding: 'The Date header from {subject} is {seconds} s off the gateway’s time.',
    remedy: 'Set the clock of the proxy, or of this machine: certificates, sessions and sign-in depend on it.',
    chinese: {
      finding: '{subject} 处服务器应答的日期与网关相差 {seconds} 秒。',
      remedy: '请校正代理或本机的时钟：证书、会话和登录都依赖它。',
    },
  },
  'proxy.ok': {
    severity: 'ok',
    finding: 'Headers, streams, large bodies and WebSockets pass correctly through {subject}.',
    chinese: { finding: '请求头、流式应答、大请求体和 WebSocket 经由 {subject} 均正常到达。' },
  },
  'proxy.untrusted': {
    severity: 'problem',
    finding:
      'X-Forwarded-For comes from {subject}, which is not in SLUICE_TRUSTED_PROXIES: all clients appear to have that address.',
    remedy:
      'Set SLUICE_TRUSTED_PROXIES to {subject}, or to the range of your proxies, and restart: per-address limits, token subnets and sign-in limits depend on it.',
    chinese: {
      finding: 'X-Forwarded-For 来自 {subject}，但 SLUICE_TRUSTED_PROXIES 未包含它：所有客户端看起来都是该地址。',
      remedy:
        '请将 SLUICE_TRUSTED_PROXIES 设为 {subject} 或代理所在网段并重启：按地址的限流、令牌的网段限制和登录限制都依赖它。',
    },
  },
  'proxy.no_client': {
    severity: 'warning',
    finding: 'The proxy at {subject} does not send the client’s address (X-Forwarded-For).',
    remedy: 'Make the proxy add the client’s address to X-Forwarded-For, and add the proxy to SLUICE_TRUSTED_PROXIES.',
    chinese: {
      finding: '位于 {subject} 的代理没有说明客户端是谁（X-Forwarded-For）。',
      remedy: '请让代理将客户端地址写入 X-Forwarded-For，并在 SLUICE_TRUSTED_PROXIES 中填写该代理。',
    },
  },
  'proxy.no_proto': {
    severity: 'warning',
    finding: 'Clients connect over https, but the proxy at {subject} does not say so (X-Forwarded-Proto).',
    remedy: 'Make the proxy set X-Forwarded-Proto to https; without it cookies are not marked as secure.',
    chinese: {
      finding: '客户端通过 https 访问，但位于 {subject} 的代理没有说明（X-Forwarded-Proto）。',
      remedy: '请让代理将 X-Forwarded-Proto 设为 https：否则 Cookie 不会标记为 Secure。',
    },
  },
  'proxy.host': {
    severity: 'note',
    finding: 'Requests for {subject} arrive with the Host {host}.',
    remedy: 'Make the proxy pass on the client’s Host header.',
    chinese: { finding: '发往 {subject} 的请求到达时 Host 为 {host}。', remedy: '请让代理原样传递客户端的 Host。' },
  },
  'proxy.buffers': {
    severity: 'warning',
    finding: 'A proxy in front of the gateway at {subject} buffers streams: two parts of an answer arrived together.',
    remedy: 'Turn off response buffering (nginx: proxy_buffering off) and compression of text/event-stream.',
    chinese: {
      finding: '{subject} 处网关前的代理缓冲了流式应答：两段内容同时到达。',
      remedy: '请关闭应答缓冲（nginx：proxy_buffering off），并关闭对 text/event-stream 的压缩。',
    },
  },
  'proxy.body': {
    severity: 'warning',
    finding:
      'A proxy in front of the gateway at {subject} refuses a body of {size} (status {status}), which SLUICE_BODY_LIMIT allows.',
    remedy: 'Raise the limit there (nginx: client_max_body_size), or lower SLUICE_BODY_LIMIT.',
    chinese: {
      finding: '{subject} 处网关前的代理拒绝了 {size} 的请求体（状态码 {status}），而 SLUICE_BODY_LIMIT 允许。',
      remedy: '请提高代理的上限（nginx：client_max_body_size），或降低 SLUICE_BODY_LIMIT。',
    },
  },
  'proxy.upgrade': {
    severity: 'warning',
    finding: 'A proxy in front of the gateway at {subject} does not pass on WebSockets.',
    remedy:
      'Make it pass on the Upgrade and Connection headers; without them realtime sessions and Responses over a WebSocket fail.',
    chinese: {
      finding: '{subject} 处网关前的代理没有转发 WebSocket。',
      remedy: '请让代理转发 Upgrade 和 Connection 请求头；否则实时会话和通过 WebSocket 的 Responses 会失败。',
    },
  },
  'proxy.trusts_all': {
    severity: 'warning',
    finding: 'SLUICE_TRUSTED_PROXIES contains {subject}: every client can claim any address.',
    remedy: 'List only your proxies.',
    chinese: {
      finding: 'SLUICE_TRUSTED_PROXIES 包含 {subject}：任何客户端都能冒充任意地址。',
      remedy: '请只填写您自己的代理。',
    },
  },
  'mail.ok': {
    severity: 'ok',
    finding: 'The mail server {subject} accepts connections and the credentials.',
    chinese: { finding: '邮件服务器 {subject} 接受连接和登录。' },
  },
  'mail.resend': {
    severity: 'ok',
    finding: 'Mail is sent through Resend; its key was not tested.',
    chinese: { finding: '邮件通过 Resend 发送；未尝试其密钥。' },
  },
  'mail.none': {
    severity: 'note',
    finding: 'Mail is not set up.',
    remedy: 'Users need it to reset their passwords, and operators to receive notices.',
    link: '/settings?tab=system&find=SMTP',
    chinese: { finding: '未设置邮件。', remedy: '用户找回密码、管理员接收通知都需要邮件。' },
  },
  'mail.half': {
    severity: 'warning',
    finding: 'Mail is only partly set up: {missing} is not set.',
    remedy: 'Set it, or remove the rest.',
    link: '/settings?tab=system&find=SMTP',
    chinese: { finding: '邮件设置不完整：缺少 {missing}。', remedy: '请补全，或清除其余设置。' },
  },
  'mail.refused': {
    severity: 'problem',
    finding: 'Mail cannot be sent through {subject}: {reason}.',
    remedy: 'Check the server, port, account, password and SMTPTransportSecurity. Mail is retried for a day at most.',
    link: '/settings?tab=system&find=SMTP',
    chinese: {
      finding: '无法通过 {subject} 发送邮件：{reason}。',
      remedy: '请检查服务器、端口、账号、密码和 SMTPTransportSecurity。邮件最多等待一天。',
    },
  },
  'mail.dead': {
    severity: 'warning',
    finding: 'Emails that could not be delivered in the last seven days: {count}; reason for the latest: {reason}.',
    remedy: 'Fix that first; GET /api/message/?state=dead lists the emails.',
    chinese: {
      finding: '最近七天有 {count} 封邮件被放弃；最近一封的原因：{reason}。',
      remedy: '请按原因修正；GET /api/message/?state=dead 可列出这些邮件。',
    },
  },
  'sign_in.ok': {
    severity: 'ok',
    finding: 'Every enabled sign-in method is set up.',
    chinese: { finding: '已启用的登录方式均设置完整。' },
  },
  'sign_in.half': {
    severity: 'warning',
    finding: 'Sign-in with {subject} is only partly set up: {missing} is not set.',
    remedy: 'Set it, or disable that method.',
    link: '/settings?tab=system&find={option}',
    chinese: { finding: '{subject} 登录设置不完整：缺少 {missing}。', remedy: '请补全，或关闭该登录方式。' },
  },
  'sign_in.unreachable': {
    severity: 'problem',
    finding: 'Nobody can sign in with {subject}: {reason}.',
    remedy: 'Check OidcWellKnown, and whether this machine reaches the provider.',
    link: '/settings?tab=system&find=OidcWellKnown',
    chinese: {
      finding: '无法使用 {subject} 登录：{reason}。',
      remedy: '请检查 OidcWellKnown，以及本机能否访问该提供方。',
    },
  },
  'sign_in.none': {
    severity: 'problem',
    finding: 'Password sign-in is disabled, and no other sign-in method is set up.',
    remedy: 'Enable PasswordLoginEnabled, or set up another method. Existing passkeys still work.',
    link: '/settings?tab=system&find=PasswordLoginEnabled',
    chinese: {
      finding: '已关闭密码登录，且没有设置其他登录方式。',
      remedy: '请启用 PasswordLoginEnabled，或设置其他登录方式。用户已有的通行密钥仍可使用。',
    },
  },
} as const satisfies Readonly<Record<string, FindingEntry>>
