import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { TestCertificate } from './certificate.ts'
import { freePort } from './free-port.ts'
import { startProgram } from './program.ts'

export interface LocalNginx {
  readonly url: string
  stop(): Promise<void>
}

/** Header with the replica (`host:port`) that answered; the last of several that were tried. */
export const SERVED_BY = 'x-served-by'

const EXAMPLE = join(import.meta.dirname, '..', '..', '..', 'deploy', 'nginx', 'sluice.conf')

export interface NginxChanges {
  /** Enables TLS, for `localhost`. */
  readonly certificate?: TestCertificate
  /** Changes the settings, to simulate operators' mistakes. */
  readonly change?: (settings: string) => string
}

/**
 * Starts an installed nginx (or the one named by SLUICE_TEST_NGINX) in front of replicas on a loopback port, with
 * `deploy/nginx/sluice.conf` unchanged except for addresses. Throws a one-line error when there is no nginx.
 */
export async function startLocalNginx(
  replicas: readonly string[],
  { certificate, change = (settings) => settings }: NginxChanges = {},
): Promise<LocalNginx> {
  const command = findNginx()
  if (command === undefined)
    throw new Error('The tests need nginx: install it (Debian: apt-get install nginx-light) or set SLUICE_TEST_NGINX')
  const folder = await mkdtemp(join(tmpdir(), 'sluice-nginx-'))
  const port = await freePort()
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  )
  const addresses = replicas.map((url) => new URL(url).host)
  const example = change(await readFile(EXAMPLE, 'utf8'))
    .replace(/ *server 10\.0\.0\.1(\d):3000(.*)\n/g, (_, at: string, rest: string) => {
      const address = addresses[Number(at) - 1]
      return address === undefined ? '' : `server ${address}${rest}\n`
    })
    .replace('listen 80;', `listen 127.0.0.1:${port}${certificate === undefined ? '' : tlsOf(folder)};`)
  const settings = `daemon off; worker_processes 1; pid ${folder}/pid; error_log stderr notice;
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    events { worker_connections 4096; }
    http {
      access_log off; ${temporary.join(' ')}
      add_header X-Served-By $upstream_addr always;
      ${example}
    }`
  await writeFile(join(folder, 'nginx.conf'), settings)
  if (certificate !== undefined) {
    await writeFile(join(folder, 'cert.pem'), certificate.cert)
    await writeFile(join(folder, 'key.pem'), certificate.key)
  }
  const program = await startProgram({
    command,
    args: ['-p', folder, '-c', join(folder, 'nginx.conf')],
    readyWhen: /start worker process \d+/,
  })
  return {
    url: certificate === undefined ? `http://127.0.0.1:${port}` : `https://localhost:${port}`,
    stop: async () => {
      await program.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** nginx serves only one path of its host, which it passes on to the gateway or removes. */
export function belowPath(path: string, form: 'passed on' | 'removed'): NonNullable<NginxChanges['change']> {
  return (settings) =>
    settings
      .replace('location / {', `location ${path}/ {`)
      .replace('proxy_pass http://sluice;', form === 'removed' ? 'proxy_pass http://sluice/;' : '$&')
}

const tlsOf = (folder: string): string =>
  ` ssl; ssl_certificate ${folder}/cert.pem; ssl_certificate_key ${folder}/key.pem`

function findNginx(): string | undefined {
  const given = process.env['SLUICE_TEST_NGINX']
  if (given !== undefined) return given
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  return folders.map((folder) => join(folder, 'nginx')).find((path) => existsSync(path))
}
