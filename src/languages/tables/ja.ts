/**
 * Japanese. Each entry is an English word and the Japanese words for it. Verbs are written up to where they
 * change; a character alone is not read where another one follows it. `-` stands before words that say nothing
 * about a tool.
 */
export const JAPANESE = `
-: 教 知りた 欲し お願い ください してほし したい 場合 一つ 二つ 三つ 全体 全部 全て 中身 為 方法 名前の 自分
-: 東京 大阪 京都 日本 羽田 成田 北海道 名古屋 横浜 福岡 札幌 沖縄 神戸 ありがと わたし あなた これから

create: 作成 新規作成 作っ 作る 作り 作れ 作ろ 作製 立ち上げ つくっ つくる; make: 作っ 作る つくる メイク
new: 新規 新し 新た; add: 追加 加え 付け足 足す 足し 付け つけ 登録 入れ; delete: 削除 消し 消す 消去 デリート 破棄
remove: 取り除 外し 外す 除去 取り外 削除 はずし; clear: クリア 消去 空に 掃除; cancel: キャンセル 取り消 取消 中止 解約
edit: 編集 エディット 書き換; change: 変更 変え 切り替え 替え チェンジ; modify: 修正 改変
update: 更新 アップデート 最新にし 書き換; replace: 置換 置き換 差し替; rename: 改名 名前を変 名前の変更 リネーム
list: 一覧 リスト 列挙 並べて 全件; show: 表示 見せ 見たい 示し 出して; display: 表示 映し ディスプレイ
view: 閲覧 見る 見て 見たい ビュー; get: 取得 入手 取っ 取る ゲット; fetch: 取得 取ってき フェッチ; retrieve: 取り出
read: 読み 読ん 読む 読め 読込 読取 読み取; write: 書い 書く 書き 書け 記入 執筆 書き込
search: 検索 探し 探す 探せ 捜し サーチ 調べ; find: 見つけ 探し 探す 捜し 発見; look: 見て 調べ
check: 確認 調べ チェック 確かめ 点検; verify: 検証 確認; validate: 検証 妥当性; send: 送信 送っ 送る 送り 送れ 送付 発送 届け
receive: 受信 受け取; reply: 返信 返事 返答; answer: 回答 答え; forward: 転送 フォワード; post: 投稿 ポスト 掲載
publish: 公開 発行 出版 公表 配信; book: 予約 本 書籍 図書; reserve: 予約; reservation: 予約
schedule: 予定 スケジュール 日程 予約; plan: 計画 プラン 企画; share: 共有 シェア; invite: 招待 誘 招い
join: 参加 加わ 入会; leave: 退出 退会 抜け; translate: 翻訳 訳し 訳す 和訳 英訳; translation: 翻訳
convert: 変換 換算 直して 変え コンバート; transform: 変形 変換; compare: 比較 比べ 見比べ; calculate: 計算 算出
count: 数え 件数 集計 カウント 数を; sum: 合計 総和; sort: 並べ替え 並び替え ソート 整列; filter: フィルタ フィルター 絞り込 抽出
group: グループ 班 集団; upload: アップロード 上げて; download: ダウンロード 落とし; import: インポート 取り込
export: エクスポート 書き出 出力; save: 保存 セーブ; store: 格納 保管 店 店舗; load: 読み込 ロード 読込
open: 開い 開く 開け 開始 オープン; close: 閉じ 終了 クローズ 閉め; start: 開始 始め 起動 スタート 開始し
stop: 停止 止め ストップ やめ; run: 実行 走ら 動かし 動かす 走っ; execute: 実行; launch: 起動 立ち上げ; restart: 再起動 再開始
pause: 一時停止 中断 休止; resume: 再開 履歴書; play: 再生 遊 流し プレイ; record: 録画 録音 記録 レコード
move: 移動 移し 移す 動かし 引っ越; copy: コピー 複製 写し 複写; duplicate: 重複 複製; paste: 貼り付け ペースト
merge: マージ 統合 結合 合併; combine: 結合 組み合わせ まとめ 合わせ; split: 分割 分け スプリット; extract: 抽出 抜き出 取り出
insert: 挿入 差し込 インサート; append: 追記 末尾に; deploy: デプロイ 配備 展開 公開; build: ビルド 構築 建て
install: インストール 導入; uninstall: アンインストール; configure: 構成 設定; set: 設定 セット 設定し; reset: リセット 初期化
enable: 有効 オンに; disable: 無効 オフに; switch: 切り替え スイッチ; lock: ロック 施錠; unlock: 解錠 解除 アンロック
block: ブロック 遮断; allow: 許可; grant: 付与; revoke: 取り消 剥奪; approve: 承認 認可; reject: 却下 拒否 不承認
accept: 承諾 受け入れ 承認 了承; decline: 辞退 断っ 断り 断る 欠席; confirm: 確認 確定; submit: 提出 送信 申請
request: 依頼 要求 申請 リクエスト; ask: 尋ね 質問 聞い 聞く; buy: 購入 買い 買っ 買う; purchase: 購入 買い物
sell: 売却 売り 売っ 売る 販売; pay: 支払 払い 払っ 払う; order: 注文 発注 オーダー 順番; refund: 返金 払い戻
transfer: 振込 送金 振り込 移転 転送; subscribe: 購読 登録; unsubscribe: 購読解除 退会 解除; follow: フォロー 追いかけ
track: 追跡 追いかけ トラッキング トラック; monitor: 監視 モニタ モニター; watch: 視聴 見張 ウォッチ
notify: 通知 知らせ お知らせ; notification: 通知 お知らせ; remind: リマインド 思い出; reminder: リマインダー 催促
alert: アラート 警報 警告; assign: 割り当 担当 任命 アサイン; label: ラベル; tag: タグ; mark: マーク 印 既読に
pin: ピン留め 固定; comment: コメント 注釈; review: レビュー 評価 審査 口コミ; rate: 評価 レート 割合
vote: 投票; like: いいね; analyze: 分析 解析; analysis: 分析 解析; summarize: 要約 まとめ 要点; summary: 要約 概要 サマリー
explain: 説明 解説; describe: 説明 記述; description: 説明; generate: 生成 作成 作っ 作る; draw: 描い 描く 描き 描画
design: デザイン 設計; format: 書式 フォーマット 整形 形式; print: 印刷 プリント; scan: スキャン 走査
parse: 解析 構文; encode: エンコード; decode: デコード; encrypt: 暗号化; decrypt: 復号; compress: 圧縮 縮小
unzip: 解凍 展開; resize: サイズ変更 リサイズ 大きさを; crop: 切り抜 トリミング; rotate: 回転; click: クリック 押し 押す
scroll: スクロール; type: 種類 タイプ 入力; fill: 入力 記入 埋め; navigate: 移動 ナビゲート 遷移; visit: 訪問 訪れ アクセス
browse: 閲覧 ブラウズ; crawl: クロール 巡回; connect: 接続 つなげ つない 繋 連携; disconnect: 切断; connection: 接続 コネクション
link: リンク 関連付け; call: 電話 通話 呼び出 呼ん; speak: 話し 話す 読み上げ; listen: 聞い 聴; learn: 学習 学び 学ぶ 勉強
register: 登録 申し込; login: ログイン サインイン; logout: ログアウト サインアウト; sign: 署名 サイン; backup: バックアップ
restore: 復元 元に戻 戻し 戻す; recover: 回復 復旧; undo: 元に戻 取り消; revert: 元に戻 巻き戻; archive: アーカイブ 保管
sync: 同期; commit: コミット; clone: クローン 複製; push: プッシュ; pull: プル 引き込; stash: 退避 一時保存 スタッシュ
fix: 直し 直す 修正 修理; solve: 解決 解い 解く; resolve: 解決; debug: デバッグ; test: テスト 試験 試し
measure: 測定 計測 測っ 測る; estimate: 見積 推定 概算; predict: 予測 予想; recommend: おすすめ お勧め 推薦 推奨
suggest: 提案; select: 選択 選ん 選ぶ 選び セレクト; choose: 選ん 選ぶ 選び; manage: 管理; organize: 整理 整頓
control: 操作 制御 コントロール; use: 使用 使っ 使う 利用; wait: 待機 待っ 待つ; finish: 完了 終え; complete: 完了 完成 済み
upgrade: アップグレード; query: 照会 クエリ クエリー 問い合わせ; drop: ドロップ 破棄; drag: ドラッグ; hover: ホバー

travel: 旅行 旅; trip: 旅行 旅 出張; drive: 運転 ドライブ; walk: 徒歩 歩い 歩く 散歩; eat: 食べ; cook: 料理 調理
file: ファイル; folder: フォルダ フォルダー; directory: ディレクトリ ディレクトリー フォルダ フォルダー; path: パス
document: 文書 書類 ドキュメント 資料; page: ページ; text: テキスト 文章 文字 文言; word: 単語 言葉 ワード
sentence: 文 例文; paragraph: 段落; line: 行 線 ライン 折れ線; note: ノート メモ 覚え書; attachment: 添付 添付ファイル
message: メッセージ 伝言; email: メール 電子メール Eメール; mail: メール 郵便; inbox: 受信トレイ 受信箱 受信ボックス
draft: 下書き 草稿 草案 ドラフト; recipient: 宛先 受信者; sender: 差出人 送信者; subject: 件名 主題
thread: スレッド; conversation: 会話; chat: チャット; channel: チャンネル チャネル; reaction: リアクション 反応 絵文字
calendar: カレンダー 予定表 暦; event: イベント 予定 行事 催し; meeting: 会議 打ち合わせ 打合せ ミーティング
appointment: 予約 約束 アポ 面会; date: 日付 日時; time: 時間 時刻 何時 時差; timezone: タイムゾーン 時差 時間帯
day: 日 日間; week: 週 週間 今週 来週 先週; month: 月 今月 来月 先月; year: 年 今年 来年 去年; hour: 時間
minute: 分; second: 秒; today: 今日 本日; tomorrow: 明日 あした; yesterday: 昨日; weekend: 週末; morning: 朝 午前
evening: 夕方; night: 夜 夜間 今夜; birthday: 誕生日; holiday: 祝日 休日 休み; vacation: 休暇 バカンス
deadline: 締め切り 締切 期限; duration: 所要時間 期間 長さ; available: 空いて 利用可能 空き; free: 無料 空き; busy: 忙し
task: タスク 作業 仕事 課題; todo: やること 用事 やるべきこと; project: プロジェクト 案件; milestone: マイルストーン
goal: 目標 ゴール; board: ボード 掲示板; card: カード; issue: 課題 問題 イシュー 不具合; ticket: チケット 切符 券
bug: バグ 不具合; error: エラー 誤り; sprint: スプリント; branch: ブランチ 枝 支店; repository: リポジトリ リポジトリー レポジトリ
code: コード ソースコード 符号; pull request: プルリクエスト プルリク; release: リリース 公開; version: バージョン 版
package: パッケージ 荷物 小包; module: モジュール; workflow: ワークフロー; pipeline: パイプライン; job: ジョブ 仕事 求人 職
function: 関数 機能; variable: 変数; script: スクリプト 台本; program: プログラム 番組; app: アプリ アプリケーション
application: アプリケーション 申請 応募; software: ソフトウェア ソフト; server: サーバ サーバー; cluster: クラスタ クラスター
container: コンテナ コンテナー; pod: ポッド; node: ノード; instance: インスタンス; environment: 環境; secret: シークレット 秘密
key: キー 鍵; token: トークン; password: パスワード 暗証番号; user: ユーザ ユーザー 利用者; account: アカウント 口座
profile: プロフィール プロファイル; role: 役割 ロール; permission: 権限 許可 アクセス権; access: アクセス; security: セキュリティ 安全
owner: 所有者 オーナー; member: メンバー 会員; team: チーム; organization: 組織 団体; company: 会社 企業 社名
employee: 従業員 社員 スタッフ; manager: 上司 マネージャー 部長; person: 人 人物; people: 人々 人達; friend: 友達 友人
contact: 連絡先 連絡 問い合わせ; customer: 顧客 お客 客; client: クライアント 取引先; lead: リード 見込み客
deal: 取引 商談; campaign: キャンペーン; address: 住所 アドレス 所在地; phone: 電話 携帯 スマホ 電話番号
number: 番号 数字 数; name: 名前 氏名 名称; title: タイトル 題名 表題; id: 識別子; status: 状況 状態 ステータス
state: 状態; category: カテゴリ カテゴリー 分類; property: プロパティ 物件 不動産; value: 値 価値; table: テーブル 表
row: 行; column: 列 カラム; cell: セル; spreadsheet: スプレッドシート 表計算; sheet: シート; database: データベース
data: データ; dataset: データセット; schema: スキーマ; field: フィールド 項目 欄; index: インデックス 索引; collection: コレクション
item: 項目 品目 アイテム; form: フォーム 用紙; template: テンプレート ひな形 雛形; survey: アンケート 調査; question: 質問 問い
report: レポート 報告 報告書; chart: グラフ チャート 図表; graph: グラフ; line chart: 折れ線グラフ; pie chart: 円グラフ
bar chart: 棒グラフ; scatter chart: 散布図; radar chart: レーダーチャート; histogram: ヒストグラム 度数分布; mind map: マインドマップ
flow diagram: フローチャート 流れ図 フロー図; organization chart: 組織図; word cloud: ワードクラウド; network graph: ネットワーク図
diagram: 図 図解 ダイアグラム; statistics: 統計; metric: 指標 メトリクス; dashboard: ダッシュボード; trend: 推移 傾向 トレンド 動向
invoice: 請求書 インボイス; bill: 請求 勘定; receipt: 領収書 レシート; payment: 支払 決済 入金; price: 価格 値段 料金 いくら
cost: 費用 コスト 経費 原価; amount: 金額 量; total: 合計 総額; tax: 税金 税 消費税; discount: 割引 値引; coupon: クーポン
budget: 予算; bank: 銀行 バンク; balance: 残高 残額; transaction: 取引 明細 トランザクション; credit card: クレジットカード
loan: ローン 融資 借入; money: お金 資金 現金; currency: 通貨 外貨 為替; exchange rate: 為替レート 為替 両替; dollar: ドル
expense: 経費 支出 出費; income: 収入 所得; revenue: 売上 収益 売り上げ; sales: 売上 売り上げ 販売; stock: 株 株価 株式 在庫
market: 市場 相場 マーケット; portfolio: ポートフォリオ; crypto: 暗号資産 仮想通貨; bitcoin: ビットコイン; interest: 利息 金利
insurance: 保険; contract: 契約 契約書; quote: 見積 引用 名言; product: 商品 製品 プロダクト; cart: カート 買い物かご
shop: 店 店舗 ショップ お店; shopping: 買い物 ショッピング; inventory: 在庫; warehouse: 倉庫; shipping: 配送 発送 出荷
delivery: 配達 配送 宅配 納品; supplier: 仕入先 業者; catalog: カタログ 目録; weather: 天気 天候 気象 空模様
forecast: 予報 予測; temperature: 気温 温度 体温; rain: 雨 降水; snow: 雪 降雪; wind: 風 風速; climate: 気候
air quality: 大気 空気質; earthquake: 地震; humidity: 湿度; flight: 飛行機 フライト 航空券 便; airport: 空港
airline: 航空会社; hotel: ホテル 宿 旅館 宿泊; room: 部屋 会議室 客室; restaurant: レストラン 飲食店 食堂
train: 電車 列車 新幹線 訓練; station: 駅 ステーション; bus: バス; subway: 地下鉄; car: 車 自動車; taxi: タクシー
bike: 自転車 バイク; parking: 駐車場 駐車 パーキング; map: 地図 マップ; route: 経路 ルート 道順 路線
directions: 行き方 道案内 道順 経路; direction: 方向 方角; distance: 距離; location: 場所 位置 現在地; place: 場所 スポット 所
nearby: 近く 付近 周辺 最寄; coordinates: 座標 緯度 経度; geocode: 緯度 経度; city: 都市 市 街; country: 国 国名; region: 地域 地方
world: 世界; house: 家 住宅; home: 家 自宅 ホーム; apartment: アパート マンション; rent: 家賃 賃貸 レンタル; traffic: 交通 渋滞 トラフィック
passport: パスポート 旅券; visa: ビザ 査証; attraction: 観光地 名所 観光; museum: 博物館 美術館; recipe: レシピ 作り方
ingredient: 材料 食材; food: 食べ物 食品 食事; meal: 食事 献立; menu: メニュー; drink: 飲み物 飲料; nutrition: 栄養
calorie: カロリー; diet: ダイエット 食事制限; lunch: 昼食 ランチ 昼ご飯; dinner: 夕食 夕飯 ディナー; breakfast: 朝食 朝ご飯
wine: ワイン; coffee: コーヒー カフェ 喫茶店; image: 画像 イメージ 図; picture: 写真 絵 画像; photo: 写真; video: 動画 ビデオ 映像
audio: 音声 オーディオ; music: 音楽 ミュージック; song: 曲 歌 楽曲; album: アルバム; artist: アーティスト 歌手; playlist: プレイリスト
lyrics: 歌詞; movie: 映画; series: ドラマ シリーズ 連続; episode: エピソード 話数; actor: 俳優 役者; podcast: ポッドキャスト
radio: ラジオ; voice: 声 音声 ボイス; speech: 演説 スピーチ 発話; sound: 音 サウンド; volume: 音量 ボリューム; camera: カメラ
screen: 画面 スクリーン; screenshot: スクリーンショット スクショ 画面キャプチャ; background: 背景; color: 色 カラー; font: フォント 書体
icon: アイコン; logo: ロゴ; animation: アニメーション; news: ニュース 報道 新聞; article: 記事 論文; blog: ブログ; author: 著者 作者
library: 図書館 ライブラリ ライブラリー; paper: 論文 紙; research: 研究 調査 リサーチ; science: 科学; citation: 引用; poem: 詩
story: 物語 話 ストーリー; history: 履歴 歴史; log: ログ 履歴; dictionary: 辞書 辞典; definition: 定義 意味; meaning: 意味
synonym: 類義語 同義語; language: 言語 語; english: 英語; japanese: 日本語; chinese: 中国語; french: フランス語; german: ドイツ語
grammar: 文法; spelling: 綴り スペル; subtitle: 字幕; transcript: 文字起こし 議事録; transcribe: 文字起こし 書き起こ
website: ウェブサイト サイト ホームページ; web: ウェブ ネット; url: リンク先; domain: ドメイン; browser: ブラウザ ブラウザー
network: ネットワーク 通信; cloud: クラウド; button: ボタン; tab: タブ; result: 結果; keyword: キーワード; game: ゲーム 試合
player: 選手 プレイヤー; score: 得点 点数 スコア; match: 試合 一致; league: リーグ; football: サッカー; baseball: 野球
sport: スポーツ 運動; joke: 冗談 ジョーク; quiz: クイズ; fact: 事実 豆知識; random: ランダム 無作為 乱数; horoscope: 占い 星座 運勢
health: 健康 体調; doctor: 医者 医師; hospital: 病院; patient: 患者; medicine: 薬 医薬品; drug: 薬 薬剤; symptom: 症状; disease: 病気 疾患
exercise: 運動 練習; workout: 筋トレ トレーニング; sleep: 睡眠 眠り; weight: 体重 重さ 重量; step: 歩数 手順 ステップ
school: 学校; course: 講座 コース 講義; student: 学生 生徒; teacher: 先生 教師; exam: 試験 テスト; university: 大学; education: 教育
salary: 給料 給与; interview: 面接 面談 インタビュー; candidate: 候補者 応募者; device: 端末 機器 デバイス; light: 照明 電気 ライト 明かり
door: ドア 扉; window: 窓 ウィンドウ; air conditioner: エアコン 冷房; sensor: センサー センサ; alarm: 目覚まし アラーム; timer: タイマー
clock: 時計; machine: 機械 マシン; robot: ロボット; battery: 電池 バッテリー; energy: エネルギー 電力; water: 水; computer: コンピュータ コンピューター パソコン
memory: メモリ メモリー 記憶; storage: ストレージ 保存領域; disk: ディスク; math: 数学 算数; equation: 方程式; unit: 単位
length: 長さ; size: 大きさ サイズ 容量; area: 面積 エリア 地域; average: 平均; percent: 割合 パーセント; maximum: 最大; minimum: 最小
model: モデル 模型; prompt: プロンプト 指示文; agent: エージェント 代理; knowledge: 知識 ナレッジ; information: 情報; detail: 詳細
idea: アイデア 案; law: 法律 法令; court: 裁判 裁判所; government: 政府; election: 選挙; animal: 動物; dog: 犬; cat: 猫; plant: 植物
tree: 木 ツリー; flower: 花; planet: 惑星; space: 宇宙 空間 スペース; star: 星; moon: 月面 満月; sea: 海; mountain: 山; park: 公園
child: 子供 子ども; family: 家族; wedding: 結婚式; gift: 贈り物 プレゼント ギフト; party: パーティー パーティ; concert: コンサート ライブ
conference: 会議 学会; presentation: プレゼン プレゼンテーション 発表; slide: スライド; guest: ゲスト; participant: 参加者 出席者
attendee: 出席者 参加者; setting: 設定; option: オプション 選択肢; feature: 機能 特徴; rule: ルール 規則; policy: ポリシー 方針
condition: 条件; action: アクション 操作; process: プロセス 処理 工程; service: サービス; support: サポート 支援; feedback: フィードバック 感想
priority: 優先度 優先順位; recent: 最近 直近; latest: 最新; last: 最後 前回; next: 次 次回; previous: 前の 以前; current: 現在 今
now: 今 今すぐ; old: 古い; past: 過去; future: 未来 将来; unread: 未読; shared: 共有; private: 非公開 個人; public: 公開 公共
local: ローカル 地元; active: 有効な 稼働中; pending: 保留 未処理; overdue: 期限切れ 延滞; done: 完了 済; important: 重要 大事; urgent: 緊急 至急
favorite: お気に入り; popular: 人気; best: 最高 最適; cheap: 安い 格安; high: 高い; low: 低い; large: 大きい 大きな; small: 小さい 小さな
long: 長い; short: 短い; fast: 速い 早い; slow: 遅い 遅く; performance: 性能 パフォーマンス; difference: 違い 差; diff: 差分
similar: 似た 類似; related: 関連; automatic: 自動; automatic reply: 自動返信; online: オンライン; offline: オフライン
red: 赤; green: 緑; blue: 青; black: 黒; white: 白; yellow: 黄色; quality: 品質 画質; cache: キャッシュ; certificate: 証明書
vulnerability: 脆弱性; incident: 障害 事故 インシデント; license: ライセンス 免許; topic: 話題 トピック; qr code: 二次元コード
metadata: メタデータ; webhook: ウェブフック; cron: 定期実行; comment: 書き込み; reminder: 思い出させ; shipment: 荷物 積荷; tracking: 追跡
`;
