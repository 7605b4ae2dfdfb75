import { ANTHROPIC_RULES } from './rules/anthropic-rules.ts'
import type { CapabilityRule, VendorRules } from './rules/capability-rule.ts'
import {
  ALIBABA_RULES,
  DEEPSEEK_RULES,
  MOONSHOT_RULES,
  OTHER_CHINESE_RULES,
  ZHIPU_RULES,
} from './rules/chinese-rules.ts'
import { GOOGLE_RULES } from './rules/google-rules.ts'
import { OPENAI_RULES } from './rules/openai-rules.ts'
import { COHERE_AMAZON_RULES, META_RULES, MISTRAL_RULES, XAI_RULES } from './rules/other-rules.ts'

/** From vendors' documentation of late 2026. Media and search models refuse some fields that the rest of their family accepts. */
export const VENDOR_RULES: readonly VendorRules[] = [
  OPENAI_RULES,
  ANTHROPIC_RULES,
  GOOGLE_RULES,
  DEEPSEEK_RULES,
  ALIBABA_RULES,
  XAI_RULES,
  META_RULES,
  MISTRAL_RULES,
  ZHIPU_RULES,
  MOONSHOT_RULES,
  OTHER_CHINESE_RULES,
  COHERE_AMAZON_RULES,
]

export const CAPABILITY_RULES: readonly CapabilityRule[] = VENDOR_RULES.flatMap(({ rules }) => rules)
