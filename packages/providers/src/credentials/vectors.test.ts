import { createHash, createPrivateKey } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { awsSignature, awsSigningKey } from './aws-signature.ts'
import { zhipuToken } from './credentials-of.ts'
import type { HeaderList, SignableRequest } from './credentials.ts'
import { readRsaKey, rs256Signature } from './jwt.ts'
import { tencentSignature } from './tencent-key.ts'

const ACCESS = { id: 'AKIDEXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' }
const US = { ...ACCESS, region: 'us-east-1' }
const HI = Buffer.from('{"messages":[{"role":"user","content":[{"text":"hi"}]}]}')

function converse(path: string, headers: HeaderList): SignableRequest {
  return { method: 'POST', origin: 'https://bedrock-runtime.us-east-1.amazonaws.com', path, headers, body: HI }
}
const SONNET = '/model/anthropic.claude-3-5-sonnet-20240620-v1%3A0/converse'
const JSON_BODY = ['content-type', 'application/json']

function signed(request: SignableRequest, service: string, at: number): string {
  const headers = awsSignature(request, { ...US, service }, at)
  return headers[headers.indexOf('authorization') + 1] ?? ''
}

describe('AWS signatures', () => {
  test('use the signing key of the documentation’s example', () => {
    const key = awsSigningKey({ ...US, service: 'iam' }, '20150830')
    expect(key.toString('hex')).toBe('c4afb1cc5771d871763a393e44b703571b55cc28424d1a5e86da6ed3c154a4b9')
  })

  test('equal get-vanilla of AWS’s test suite', () => {
    const request = {
      method: 'GET',
      origin: 'https://example.amazonaws.com',
      path: '/',
      headers: [],
      body: Buffer.alloc(0),
    } as const
    expect(signed(request, 'service', Date.UTC(2015, 7, 30, 12, 36))).toBe(
      'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, ' +
        'Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
    )
  })

  test('equal those of other signers for Bedrock, whose paths are encoded once more', () => {
    const hash = createHash('sha256').update(HI).digest('hex')
    const cases = [
      [converse(SONNET, []), '38bb58dddd1dc72537c20c63e40b24431af21e62e2c9fda8ed5e7661b1d8efd1'],
      [converse(SONNET, JSON_BODY), '9750672576f83cb47087f568c760523fe2fb040cf4de4c94e652c2cd36acc30e'],
      [
        converse(SONNET, [...JSON_BODY, 'X-Amz-Content-Sha256', hash]),
        'd2460697c404158e8eefc3960a32824fce7a96d2903bb42356d1ef25f838f3f8',
      ],
      [
        converse('/model/us.anthropic.claude-opus-4-6-v1/converse', []),
        '91623b2f1fce6429b389db246c1b91de085f0edb499dc24afb2c45489920de4c',
      ],
    ] as const
    for (const [request, signature] of cases) {
      expect(signed(request, 'bedrock', Date.UTC(2026, 0, 1))).toMatch(new RegExp(`Signature=${signature}$`))
    }
  })

  test('send the session token of a temporary key, signed', () => {
    const headers = awsSignature(converse(SONNET, []), { ...US, service: 'bedrock', token: 'TOKEN' }, 0)
    expect(headers.slice(0, 4)).toEqual(['x-amz-date', '19700101T000000Z', 'x-amz-security-token', 'TOKEN'])
    expect(headers[5]).toContain('SignedHeaders=host;x-amz-date;x-amz-security-token,')
  })

  test('equal those of the examples for S3, whose paths are signed as they are sent', () => {
    const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
    const scope = {
      id: 'AKIAIOSFODNN7EXAMPLE',
      secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
      region: 'us-east-1',
      service: 's3',
    }
    // "Signature Calculations for the Authorization Header", Amazon S3 API Reference: two of its examples sign these headers only.
    const cases = [
      ['/?lifecycle', 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543'],
      ['/?max-keys=2&prefix=J', '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7'],
    ] as const
    for (const [path, signature] of cases) {
      const headers = ['x-amz-content-sha256', empty]
      // The digest in the header is signed, whatever the body.
      const request = {
        method: 'GET',
        origin: 'https://examplebucket.s3.amazonaws.com',
        path,
        headers,
        body: HI,
      } as const
      expect(awsSignature(request, scope, Date.UTC(2013, 4, 24)).at(-1)).toBe(
        `AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature=${signature}`,
      )
    }
    const spaced = { method: 'GET', origin: 'https://s3.example.com', headers: [], body: HI } as const
    const [once, twice] = ['s3', 'bedrock'].map((service) =>
      awsSignature({ ...spaced, path: '/a%20b' }, { ...scope, service }, 0).at(-1),
    )
    expect(once).not.toBe(twice)
  })

  test('cover the query, in order of its names', () => {
    const [a, b] = ['/?b=2&a=1', '/?a=1&b=2'].map((path) => signed(converse(path, []), 'bedrock', 0))
    expect(a).toBe(b)
    expect(a).not.toBe(signed(converse('/?a=1&b=3', []), 'bedrock', 0))
  })
})

/** Key of RFC 7515, appendix A.2.1; the derived numbers are computed below. */
const RFC_KEY = {
  kty: 'RSA',
  n: 'ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ',
  e: 'AQAB',
  d: 'Eq5xpGnNCivDflJsRQBXHx1hdR1k6Ulwe2JZD50LpXyWPEAeP88vLNO97IjlA7_GQ5sLKMgvfTeXZx9SE-7YwVol2NXOoAJe46sui395IW_GO-pWJ1O0BkTGoVEn2bKVRUCgu-GjBVaYLU6f3l9kJfFNS3E0QbVdxzubSu3Mkqzjkn439X0M_V51gfpRLI9JYanrC4D4qAdGcopV_0ZHHzQlBjudU2QvXt4ehNYTCBr6XCLQUShb1juUO1ZdiYoFaFQT5Tw8bGUl_x_jTj3ccPDVZFD9pIuhLhBOneufuBiB4cS98l2SR_RQyGWSeWjnczT0QU91p1DhOVRuOopznQ',
  p: '4BzEEOtIpmVdVEZNCqS7baC4crd0pqnRH_5IB3jw3bcxGn6QLvnEtfdUdiYrqBdss1l58BQ3KhooKeQTa9AB0Hw_Py5PJdTJNPY8cQn7ouZ2KKDcmnPGBY5t7yLc1QlQ5xHdwW1VhvKn-nXqhJTBgIPgtldC-KDV5z-y2XDwGUc',
  q: 'uQPEfgmVtjL0Uyyx88GZFF1fOunH3-7cepKmtH4pxhtCoHqpWmT8YAmZxaewHgHAjLYsp1ZSe7zFYHj7C6ul7TjeLQeZD_YwD66t62wDmpe_HlB-TnBA-njbglfIsRLtXlnDzQkv5dTltRJ11BKBBypeeF6689rjcJIDEz9RWdc',
}

function wholeKey() {
  const number = (text: string) => BigInt(`0x${Buffer.from(text, 'base64url').toString('hex')}`)
  const text = (value: bigint) => {
    const hex = value.toString(16)
    return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex').toString('base64url')
  }
  const [d, p, q] = [number(RFC_KEY.d), number(RFC_KEY.p), number(RFC_KEY.q)]
  return { ...RFC_KEY, dp: text(d % (p - 1n)), dq: text(d % (q - 1n)), qi: text(inverse(q, p)) }
}

/** By Fermat's little theorem, because the modulus is prime. */
function inverse(value: bigint, prime: bigint): bigint {
  let [result, base, power] = [1n, value % prime, prime - 2n]
  for (; power > 0n; power >>= 1n, base = (base * base) % prime)
    if ((power & 1n) === 1n) result = (result * base) % prime
  return result
}

describe('JSON web tokens', () => {
  test('carry the signature of RFC 7515, appendix A.2', () => {
    const pem = createPrivateKey({ key: wholeKey(), format: 'jwk' }).export({ type: 'pkcs8', format: 'pem' })
    const found = readRsaKey(pem)
    if ('problem' in found) throw new Error(found.problem)
    const claims = '{"iss":"joe",\r\n "exp":1300819380,\r\n "http://example.com/is_root":true}'
    const text = `eyJhbGciOiJSUzI1NiJ9.${Buffer.from(claims).toString('base64url')}`
    expect(rs256Signature(text, found.key)).toBe(
      'cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw',
    )
  })

  test('carry the one that Zhipu’s clients make', () => {
    expect(zhipuToken('id123.secret456', 1_767_225_600_000, 3_600_000)).toBe(
      'eyJhbGciOiJIUzI1NiIsInNpZ25fdHlwZSI6IlNJR04ifQ.eyJhcGlfa2V5IjoiaWQxMjMiLCJleHAiOjE3NjcyMjkyMDAwMDAsInRpbWVzdGFtcCI6MTc2NzIyNTYwMDAwMH0.D2IvNmFDlhD_UF1mwGOmHk5DCHciBZGpl26o2ejcwTw',
    )
  })
})

describe('Tencent’s signatures', () => {
  const SAMPLE = '{"Limit": 1, "Filters": [{"Values": ["\\u672a\\u547d\\u540d"], "Name": "instance-name"}]}'
  const CVM = { host: 'cvm.tencentcloudapi.com', service: 'cvm', body: SAMPLE }
  const UTF8 = ['content-type', 'application/json; charset=utf-8']

  test.each([
    [
      'its older sample',
      UTF8,
      'Gu5t9xGARNpq86cd98joQYCN3*******',
      '2230eefd229f582d8b1b891af7107b91597240707d778ab3738f756258d7652c',
    ],
    [
      'its newer sample',
      [...UTF8, 'x-tc-action', 'DescribeInstances'],
      '*'.repeat(32),
      '10b1a37a7301a02ca19a647ad722d5e43b4b3cff309d421d85b46093f6ab6c4f',
    ],
  ])('equal %s', (_, headers, secret, signature) => {
    const found = tencentSignature({ ...CVM, headers }, { id: 'AKID', secret }, 1_551_113_065)
    expect(found).toContain('TC3-HMAC-SHA256 Credential=AKID/2019-02-25/cvm/tc3_request, ')
    expect(found).toMatch(new RegExp(`Signature=${signature}$`))
  })

  test('equal that of a chat', () => {
    const call = {
      host: 'hunyuan.tencentcloudapi.com',
      service: 'hunyuan',
      headers: ['content-type', 'application/json', 'x-tc-action', 'ChatCompletions'],
      body: '{"Model":"hunyuan-lite","Messages":[{"Role":"user","Content":"hi"}],"Stream":false}',
    }
    expect(tencentSignature(call, { id: 'x', secret: 'secretkey-example' }, 1_767_225_600)).toMatch(
      /6a9815b3d0d5605f9eccda2d210546dd7fb1b1456c349b4558b29217863016c8$/,
    )
  })
})
