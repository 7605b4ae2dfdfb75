import { describe, expect, it } from 'vitest'
import { deviceOf } from './user-agent.ts'

const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0'

describe('device', () => {
  it.each([
    [`${WINDOWS} ${CHROME} Safari/537.36`, 'Chrome', 'Windows'],
    [`${WINDOWS} ${CHROME} Safari/537.36 Edg/142.0.0.0`, 'Edge', 'Windows'],
    [`${WINDOWS} ${CHROME} Safari/537.36 OPR/120.0`, 'Opera', 'Windows'],
    [`Mozilla/5.0 (Linux; Android 14; K) ${CHROME} Mobile Safari/537.36`, 'Chrome', 'Android'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox', 'Linux'],
    [`${IPHONE} Version/18.1 Mobile/15E148 Safari/604.1`, 'Safari', 'iPhone'],
    [`${IPHONE} CriOS/142.0 Mobile/15E148 Safari/604.1`, 'Chrome', 'iPhone'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1 Version/18.1 Safari/605.1', 'Safari', 'macOS'],
    ['curl/8.9.1', 'curl', ''],
    ['', '', ''],
    ['<script>alert(1)</script>', '', ''],
  ])('of %s', (userAgent, browser, system) => {
    expect(deviceOf(userAgent)).toEqual({ browser, system })
  })
})
