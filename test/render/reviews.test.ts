import { describe, expect, it } from 'vitest'
import { pageOfReview } from '../../core/render/page-of-review.ts'
import { renderSummary } from '../../core/render/render-summary.ts'
import { renderText } from '../../core/render/render-text.ts'
import type { Review } from '../../core/schema/review.ts'
import { aReview, aStateReview, fullReview, fullState } from '../builders/reviews.ts'

const text = (review: Review, options: Parameters<typeof renderText>[1] = {}): string =>
  renderText(pageOfReview(review, 'plan.json'), options)

describe('plans and states of OpenTofu and Terraform', () => {
  it.each([
    ['review.width-80.txt', text(fullReview, { width: 80 })],
    ['review.width-120.txt', text(fullReview, { width: 120 })],
    ['review.colour.txt', text(fullReview, { width: 120, color: true })],
    ['review.summary.txt', renderSummary(pageOfReview(fullReview, 'plan.json'))],
    ['review-state.txt', text(fullState)],
    ['review-state.summary.txt', renderSummary(pageOfReview(fullState, 'state.json'))],
    ['review-nothing.txt', text(aReview({ unchanged: 12 })) + text(aStateReview())],
  ])('%s', async (name, page) => {
    await expect(page).toMatchFileSnapshot(`../goldens/${name}`)
  })
})
