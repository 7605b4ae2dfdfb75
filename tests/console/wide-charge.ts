/** Its numbers are as long as they can get. */
export const WIDE_CHARGE = {
  kind: 'consume',
  at: 1_795_000_000_000,
  amount: '12345678.901',
  calculation: {
    lines: [
      { class: 'input', count: 1_234_567, rate: '0.123456789', amount: '152415.678750763' },
      { class: 'cached_input', count: 7_654_321, rate: '0.0125', amount: '95679.0125' },
      { class: 'output', count: 123_456, rate: '10', amount: '1234560' },
      { class: 'reported_nano_usd', count: 21_726_048_419, rate: '0.0005', amount: '10863024.2095' },
    ],
    list: '12345678.900750763',
    group_ratio: '1',
    exact: '12345678.900750763',
    total: '12345678.901',
    price_id: 17,
    source: {
      kind: 'book',
      name: '2026-11-20',
      channel: 0,
      tier: 'input>=272001',
      window: 'night',
    },
  },
  reason: '',
  actor_name: '',
}
