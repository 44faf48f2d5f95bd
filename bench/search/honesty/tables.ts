import type { ScoreScale } from '../../../packages/core/src/search.ts';
import { macroEstimate, mean } from '../statistics.ts';
import { interval, markdown, percent } from '../tables.ts';
import type { Judged, JudgedSentence } from './judge.ts';
import type { Half } from './need.ts';
import { MEASURES, TOLD, TOLD_WITHOUT, WRONGLY_TOLD } from './shares.ts';

/** What one way to search said about all needs. */
export interface Honesty {
  readonly title: string;
  readonly scale: ScoreScale;
  readonly judged: readonly Judged[];
}

function ofHalf({ judged }: Honesty, half: Half): Judged[] {
  return judged.filter((one) => one.half === half);
}

/** A row for each way and measure, with the lines for calibration and those for reports apart. */
export function honestyTable(all: readonly Honesty[]): string {
  const rows = all.flatMap((honesty) =>
    MEASURES.map(({ title, values }) => {
      const calibration = values(ofHalf(honesty, 'calibration'), honesty.scale);
      const report = values(ofHalf(honesty, 'report'), honesty.scale);
      return [
        ...[honesty.title, title],
        ...[String(calibration.length), percent(mean(calibration))],
        ...[String(report.length), percent(mean(report)), interval(macroEstimate([report]))],
      ];
    }),
  );
  return markdown(
    ['search', 'share', 'even', 'calibration', 'odd', 'report', 'report, 95 %'],
    rows,
    2,
  );
}

/** Shares at each threshold, on the lines for reports. */
export function curveTable(all: readonly Honesty[], step: number): string {
  const steps = Array.from({ length: Math.round(1 / step) - 1 }, (_, n) =>
    Number(((n + 1) * step).toFixed(4)),
  );
  const thresholds = [...new Set([...steps, ...all.map(({ scale }) => scale.fits)])];
  const rows = thresholds
    .sort((a, b) => a - b)
    .map((threshold) => [
      threshold.toFixed(2),
      all
        .filter(({ scale }) => scale.fits === threshold)
        .map(({ title }) => title)
        .join(', '),
      ...all.flatMap((honesty) => sharesAt(ofHalf(honesty, 'report'), threshold).map(percent)),
    ]);
  const shares = all.flatMap(({ title }) =>
    ['told', 'taken out', 'wrong'].map((share) => `${title}: ${share}`),
  );
  return markdown(['threshold', 'in use', ...shares], rows, 2);
}

/** What is told of needs that are not served and of those without their tools, and wrongly told. */
function sharesAt(judged: readonly Judged[], threshold: number): number[] {
  const scale = { fits: threshold, clear: 1 };
  return [TOLD, TOLD_WITHOUT, WRONGLY_TOLD].map(({ values }) => mean(values(judged, scale)));
}

/** A threshold and what it does on the lines for calibration. */
export interface Calibration {
  readonly threshold: number;
  readonly told: number;
  readonly without: number;
  readonly wrong: number;
  /** The mean of what is rightly told and what is rightly not told. */
  readonly balance: number;
}

/** Thresholds from `step` to 1 on the lines for calibration alone. */
export function calibrate(honesty: Honesty, step: number): Calibration[] {
  const judged = ofHalf(honesty, 'calibration');
  return Array.from({ length: Math.round(1 / step) }, (_, n) => {
    const threshold = Number(((n + 1) * step).toFixed(4));
    const [told = 0, without = 0, wrong = 0] = sharesAt(judged, threshold);
    return { threshold, told, without, wrong, balance: (told + 1 - wrong) / 2 };
  });
}

/** The calibration of one way. An arrow marks the best balance. */
export function calibrationTable(honesty: Honesty, step: number): string {
  const all = calibrate(honesty, step);
  const best = Math.max(...all.map(({ balance }) => balance));
  const rows = all.map(({ threshold, told, without, wrong, balance }) => [
    `${honesty.title}, ${threshold.toFixed(2)}`,
    ...[told, without, wrong].map(percent),
    `${balance === best ? '-> ' : ''}${percent(balance)}`,
  ]);
  return markdown(['threshold', 'told', 'taken out', 'wrongly told', 'balance'], rows);
}

/** What one way to search said about the queries of one set. */
export interface SentenceHonesty extends Pick<Honesty, 'title' | 'scale'> {
  readonly set: string;
  readonly judged: readonly JudgedSentence[];
}

/** A row for each set and way. All queries are served by the tools of their set. */
export function sentencesTable(all: readonly SentenceHonesty[]): string {
  const rows = all.map(({ set, title, scale, judged }) => [
    ...[set, title, String(judged.length)],
    percent(mean(judged.map(({ score }) => (score < scale.fits ? 1 : 0)))),
    percent(mean(judged.map(({ scoreWithout }) => (scoreWithout < scale.fits ? 1 : 0)))),
  ]);
  return markdown(['set', 'search', 'queries', 'wrongly told', 'taken out: told'], rows, 2);
}
