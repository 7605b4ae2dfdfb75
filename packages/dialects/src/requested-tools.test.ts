import { expect, test } from 'vitest'
import { requestedTools } from './requested-tools.ts'

test.each([
  ['chat', { web_search_options: {} }, ['web_search: web_search_options']],
  ['chat', { search_parameters: { mode: 'off' }, enable_search: false, web_search_options: null }, []],
  ['chat', { search_parameters: { mode: 'auto' } }, ['web_search: search_parameters']],
  ['chat', { plugins: [{ id: 'file-parser' }, { id: 'web' }] }, ['file_parser: plugins[0]', 'web_search: plugins[1]']],
  ['chat', { tools: [{ type: 'builtin_function', function: { name: '$web_search' } }] }, ['web_search: tools[0]']],
  ['chat', { tools: [{ type: 'function', function: { name: 'web_search' } }, { type: 'custom' }] }, []],
  [
    'responses',
    {
      tools: [
        { type: 'web_search_preview_2025_03_11' },
        { type: 'file_search' },
        { type: 'local_shell' },
        { type: 'mcp' },
      ],
    },
    ['web_search: tools[0]', 'file_search: tools[1]', 'mcp: tools[3]'],
  ],
  [
    'responses, in the middle of the conversation',
    {
      input: [
        { type: 'message', role: 'user', content: 'x' },
        { type: 'additional_tools', role: 'developer', tools: [{ type: 'custom', name: 'f' }, { type: 'web_search' }] },
      ],
    },
    ['web_search: input[1].tools[1]'],
  ],
  [
    'messages, in the middle of the conversation',
    {
      messages: [
        { role: 'user', content: 'x' },
        {
          role: 'system',
          content: [
            { type: 'tool_addition', tool: { type: 'tool_definition', definition: { type: 'web_search_20260318' } } },
            { type: 'tool_addition', tool: { type: 'tool_reference', name: 'web_search' } },
          ],
        },
      ],
    },
    ['web_search: messages[1].content[0].tool.definition'],
  ],
  [
    'messages',
    {
      tools: [
        { name: 'f', input_schema: {} },
        { type: 'web_search_20250305', name: 'web_search' },
        { type: 'bash_20250124' },
      ],
      mcp_servers: [{ url: 'https://x' }],
    },
    ['web_search: tools[1]', 'mcp: mcp_servers'],
  ],
  [
    'gemini',
    { tools: [{ functionDeclarations: [], googleSearch: {} }, { code_execution: {} }, { urlContext: {} }] },
    ['web_search: tools[0]', 'code_execution: tools[1]', 'url_context: tools[2]'],
  ],
  ['anything', { tools: [{ type: 'of_tomorrow' }] }, ['of_tomorrow: tools[0]']],
])('%s: %j', { tags: 'S42' }, (_, body, expected) => {
  expect(requestedTools(body).map(({ name, field }) => `${name}: ${field}`)).toEqual(expected)
})

test('names in another case are the same names', { tags: 'S40' }, () => {
  const tools = [{ type: 'function', Type: 'web_search' }, { GoogleSearch: {} }]
  expect(requestedTools({ Tools: tools, Enable_Search: true }).map(({ name }) => name)).toEqual([
    'web_search',
    'web_search',
    'web_search',
  ])
})
