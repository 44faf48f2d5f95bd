/** Words that say nothing about the tool. They are dropped from queries only. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about all also am an and any are as at be been but by can could did do does for from had ' +
    'has have he her here him his how i if in into is it its just like me more my of on or our ' +
    'out please she should so some such than that the their them then there these they this those ' +
    'to up us was we were what when where which who why will with would you your ' +
    'help need needs want wants wanted looking tell give let know able using use ' +
    'tool tools thanks thank hi hello d ll m re s t ve'
  ).split(' '),
);
