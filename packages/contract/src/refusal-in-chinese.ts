import { ERRORS, type Refusal, withParams } from './errors.ts'

/**
 * English phrases that the gateway puts into refusals' placeholders, and their translations. `{n}` and the like match any text,
 * which is carried over. Unlisted phrases stay English.
 */
export const PHRASES_IN_CHINESE: readonly (readonly [english: string, chinese: string])[] = [
  // {what}
  ['The balance update', '查询所有余额'],
  ['A verification of the ledger', '账目核对'],
  ['Alarm', '提醒'],
  ['Binding', '绑定'],
  ['Channel', '渠道'],
  ['Key', '密钥'],
  ['Passkey', '通行密钥'],
  ['Redemption code', '兑换码'],
  ['Session', '会话'],
  ['The entry', '该条目'],
  ['Token', '令牌'],
  ['Transaction', '交易'],
  ['User', '用户'],

  // {reason} of `refused`
  ['You cannot change a user of the same or a higher role.', '不能修改与您同级或更高级别的用户。'],
  ['You cannot assign a role as high as your own.', '不能授予与您同级的角色。'],
  ['You cannot change your own role and status.', '不能修改自己的角色和状态。'],
  ['This is the last root user.', '这是最后一个超级管理员。'],
  ['The root account cannot be deleted.', '不能删除超级管理员账号。'],
  [
    'The code has been used. It now serves as a receipt and cannot be changed or enabled again.',
    '该兑换码已被使用，现在是一份凭据，不能再修改或启用。',
  ],
  ['The redemption code is not valid.', '兑换码无效。'],
  ['The redemption code is disabled.', '兑换码已被禁用。'],
  ['The redemption code has been used.', '兑换码已被使用。'],
  ['The balance would exceed the largest amount that can be recorded.', '余额将超出可记录的范围。'],
  [
    'The token has expired. To enable it, change its expiration time or set it to never expire.',
    '令牌已过期。请修改过期时间或设为永不过期后再启用。',
  ],
  [
    'The token has no quota left. To enable it, give it more quota or make it unlimited.',
    '令牌额度已用尽。请增加额度或设为无限额度后再启用。',
  ],
  ['An account is limited to {n} tokens.', '每个账号最多可有 {n} 个令牌。'],
  ['An account is limited to {n} passkeys.', '每个账号最多可有 {n} 个通行密钥。'],
  ['You can see only your own usage.', '您只能查看自己的用量。'],
  ['No free username was found; try again.', '未找到可用的用户名，请重试。'],
  [
    'No release feed is configured. To check for updates, set SLUICE_RELEASE_FEED to the address of one.',
    '未配置版本发布源。请将 SLUICE_RELEASE_FEED 设为其地址以检查更新。',
  ],
  ['The release feed could not be read: {reason}.', '无法读取版本发布源：{reason}。'],
  [
    'GroupRatio must keep the group "{group}", because users belong to it',
    'GroupRatio 必须保留分组 "{group}"，因为有用户属于它',
  ],
  ['To date must be a date in the form YYYY-MM-DD', '结束日期的格式必须为 YYYY-MM-DD'],
  ['From date must be a date in the form YYYY-MM-DD', '开始日期的格式必须为 YYYY-MM-DD'],
  ['From date must be before or equal to To date', '开始日期不能晚于结束日期'],
  ['To date cannot be in the future', '结束日期不能在未来'],
  ['From date cannot be more than {window} ago', '开始日期不能早于 {window} 前'],
  ['Date range cannot exceed {window}', '日期范围不能超过 {window}'],

  // {rule} of `invalid_body`
  ['names a group that this account cannot use: "{group}"', '指定了该账号不可使用的分组："{group}"'],
  ['must name a group', '必须指定一个分组'],
  ['must not contain a comma', '不能包含逗号'],
  ['is limited to {n} groups', '最多 {n} 个分组'],
  ['names a group twice', '重复指定了同一分组'],
  ['"auto" stands for a whole list of groups and cannot be combined with others', '"auto" 代表一个列表，只能单独使用'],
  ['is required', '为必填项'],
  ['is not valid', '无效'],
  ['expected {expected}, got {received}', '应为 {expected}，实际为 {received}'],
  ['contains a NUL character', '含有 NUL 字符'],
  ['must be a whole number', '必须是整数'],
  ['must be an integer', '必须是整数'],
  ['must be at least {n} characters', '至少 {n} 个字符'],
  ['must be at least {n}', '不得小于 {n}'],
  ['is limited to {n} characters', '最多 {n} 个字符'],
  ['Quota must be a whole number', '额度必须是整数'],
  ['Quota must be non-negative', '额度不能为负数'],
  ['Quota cannot be negative', '额度不能为负数'],
  ['Quota is limited to {n}', '额度不得超过 {n}'],
  ['Username is required', '请填写用户名'],
  ['Username is limited to {n} characters', '用户名最多 {n} 个字符'],
  ['must not contain @', '不能包含 @'],
  ['Display name is limited to {n} characters', '显示名称最多 {n} 个字符'],
  ['Password is required', '请填写密码'],
  ['Password must be at least {n} characters', '密码至少 {n} 个字符'],
  ['Valid email is required', '请填写有效的邮箱地址'],
  ['Email is limited to {n} characters', '邮箱地址最多 {n} 个字符'],
  ['Verification code is required', '请填写验证码'],
  ['Enter a valid 6-digit code', '请输入有效的 6 位验证码'],
  ['Token name is required', '请填写令牌名称'],
  ['Token name is limited to {n} characters', '令牌名称最多 {n} 个字符'],
  ['Channel name is required', '请填写渠道名称'],
  ['Channel name is limited to {n} characters', '渠道名称最多 {n} 个字符'],
  ['Channel type is required', '请选择渠道类型'],
  ['Unknown channel type', '未知的渠道类型'],
  ['Redemption code is required', '请填写兑换码'],
  ['Passkey name is required', '请填写通行密钥名称'],
  ['Passkey name is limited to {n} characters', '通行密钥名称最多 {n} 个字符'],
  ['Name is required', '请填写名称'],
  ['Group is required', '请填写分组'],
  ['Model is required', '请填写模型'],
  ['Count must be positive', '数量必须大于零'],
  ['Search text is limited to {n} characters', '搜索内容最多 {n} 个字符'],
  ['type at least {n} characters to search', '请输入至少 {n} 个字符进行搜索'],
  ['Expiration must be before the year 10000', '过期时间必须早于公元 10000 年'],
  ['Invalid JSON format', 'JSON 格式无效'],
  ['there is no group "{group}"', '没有分组 "{group}"'],
  ['must be one of the models of the channel', '必须是该渠道的模型之一'],
  ['is not one of the models of this channel', '不是该渠道的模型'],
  ['a channel can have at most {n} keys', '一个渠道最多可有 {n} 个密钥'],
  [
    'is required, because the channel would send its key to a different address',
    '为必填项，因为渠道会把密钥发往另一个地址',
  ],
  ['is required, because channels of this type use a different format', '为必填项，因为该类型渠道的写法不同'],
  ['points to an address that channels may not use', '指向渠道不可使用的地址'],
  ['can only be changed with a verification code', '只能凭验证码修改'],
  ['must state the reason for the refund', '请说明原因'],
  ['must be one of {names}', '必须是以下之一：{names}'],
  ['must be printable ASCII without spaces', '必须是不含空格的可打印 ASCII 字符'],
  ['must not contain control characters', '不能包含控制字符'],
  ['is a key of this gateway, not of a provider', '是本网关的密钥，不是服务商的密钥'],
  ['is a key of {vendor}', '是 {vendor} 的密钥'],
  ['is not a key of {vendor}', '不是 {vendor} 的密钥'],
]

interface Pattern {
  readonly matches: RegExp
  readonly chinese: string
}

const SPECIAL = /[.*+?^${}()|[\]\\]/g
const PLACE = /\{(\w+)\}/g
const EXACT = new Map(PHRASES_IN_CHINESE)
const PATTERNS: readonly Pattern[] = PHRASES_IN_CHINESE.filter(([english]) => english.includes('{')).map(
  ([english, chinese]) => ({ matches: patternOf(english), chinese }),
)

/** Placeholders that the gateway fills with its own words; the others contain names, numbers or other people's words. */
const OWN_WORDS = new Set(['what', 'reason', 'rule'])
/** In characters. A longer text is not one of our phrases, and might be crafted to keep a pattern busy. */
const LONGEST_PHRASE = 300

/** Texts without a translation, such as a provider's own words, stay as they are. */
/** True if Chinese is the caller's first language; everyone else gets English. */
export function wantsChinese(acceptLanguage: string | undefined): boolean {
  return /^\s*zh\b/i.test(acceptLanguage ?? '')
}

export function refusalInChinese({ code, params = {} }: Refusal): string {
  const translated = Object.entries(params).map(([name, value]) => {
    const isPhrase = OWN_WORDS.has(name) && typeof value === 'string' && value.length <= LONGEST_PHRASE
    return [name, isPhrase ? phraseInChinese(value) : value] as const
  })
  return withParams(ERRORS[code].chinese, Object.fromEntries(translated))
}

function phraseInChinese(english: string): string {
  const exact = EXACT.get(english)
  if (exact !== undefined) return exact
  for (const { matches, chinese } of PATTERNS) {
    const params = matches.exec(english)?.groups
    if (params !== undefined) return withParams(chinese, params)
  }
  return english
}

function patternOf(english: string): RegExp {
  const parts = english
    .split(PLACE)
    .map((part, at) => (at % 2 === 0 ? part.replace(SPECIAL, String.raw`\$&`) : `(?<${part}>.+?)`))
  return new RegExp(`^${parts.join('')}$`, 's')
}
