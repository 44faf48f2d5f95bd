/**
 * Chinese, in simplified characters. Each entry is an English word and the Chinese words for it;
 * `-` stands before words that say nothing about a tool.
 */
export const CHINESE = `
-: 的 地 得 了 着 过 吗 呢 吧 啊 呀 嘛 把 被 将 给 向 往 从 到 在 于 对 跟 和 与 及 或 或者 以及
-: 并 并且 而 而且 但 但是 然后 因为 所以 如果 就 也 都 还 又 再 很 太 更 最 比较 我 我的 我们 你
-: 你的 你们 您 他 她 它 他们 她们 它们 自己 大家 这 那 这个 那个 这些 那些 这里 那里 哪 哪里 哪儿
-: 哪些 哪个 谁 什么 怎么 怎样 怎么样 如何 为什么 多少 几 几个 何时 什么时候 请 请问 麻烦
-: 谢谢 帮我 帮 帮忙 帮助我 请帮我 我想 我要 我想要 我需要 想要 想 要 需要 希望 能 能否 能不能
-: 可以 可否 会 应该 是 是否 不是 有 没有 有没有 不 没 一下 一个 一些 一条 一张 一份 一封 一篇
-: 一段 一首 个 条 张 份 封 篇 些 里 里面 上 下 中 内 外 之 之间 所 所有 全部 全 每 每个 某 某个
-: 某些 其 其他 另 另外 让 使 使得 叫 名为 叫做 关于 按 按照 根据 为 为了 用 以 来 去 做 进行 位于
-: 告诉我 告诉 给我 看看 知道 想知道 我想知道 一共 只 已经 正在 可能 必须 具体 相应 指定 该 中国
-: 美国 英国 德国 法国 日本 韩国 印度 新加坡 新西兰 加拿大 北京 上海 广州 深圳 杭州 南京 天津 重庆
-: 成都 武汉 西安 长沙 厦门 青岛 大连 苏州 香港 台湾 台北 澳门 新疆 云南 海南 山东 山西 四川 江苏
-: 浙江 广东 河南 河北 湖南 湖北 福建 江西 安徽 辽宁 吉林 纽约 伦敦 巴黎 东京 柏林 大阪 首尔

create: 创建 新建 建立 建 创造 制定; make: 制作 做一个 弄; new: 新 新的 全新
add: 添加 增加 加入 新增 加 加上 追加; delete: 删除 删 删掉 清除; remove: 移除 去掉 去除 删除 拿掉
clear: 清空 清理 清除; cancel: 取消 撤销 退订; edit: 编辑 改写; change: 更改 改变 变更 改成 改
modify: 修改 改动; update: 更新 刷新 升级; replace: 替换 更换 换成 代替; rename: 重命名 改名
list: 列出 列表 清单 罗列 列举 名单; show: 显示 展示 给我看; display: 显示 展示
view: 查看 看 浏览 观看 看一下 检视; get: 获取 取得 得到 拿到 获得 查询; fetch: 抓取 获取 拉取
retrieve: 检索 取回 获取; read: 读取 阅读 读 朗读; write: 写 写入 撰写 编写 书写 写一
search: 搜索 搜 查找 查询 搜寻 查 检索 搜一下 查一下 查查
find: 找 找到 查找 寻找 找出 找一下 发现; look: 看一看 瞧; check: 检查 核对 查看 核查
verify: 验证 核实 校验; validate: 验证 校验; send: 发送 发 寄 发给 发出 寄送 传送 发一
receive: 接收 收到 收取 收; reply: 回复 答复 回信; answer: 回答 答案 解答; forward: 转发
post: 发布 发帖 帖子 张贴; publish: 发布 发表 出版 公布; book: 预订 预定 订 订购 书 书籍 图书
reserve: 预订 预留 预约; reservation: 预订 预约
schedule: 安排 日程 日程安排 排期 时间表 定时 预约 计划; plan: 计划 规划 方案
share: 分享 共享 股份; invite: 邀请; join: 加入 参加; leave: 离开 退出 请假
translate: 翻译 译 译成 翻译成; translation: 翻译 译文
convert: 转换 换算 转成 转换成 转为 转换为 转化 兑换; transform: 转换 变换
compare: 比较 对比 比对 比一比; calculate: 计算 算 算出 算一下; compute: 计算
count: 统计 计数 数量 个数; sum: 求和 总和 合计 加总; sort: 排序 排列 分类; filter: 筛选 过滤
group: 分组 组 小组 群组 群; upload: 上传; download: 下载; import: 导入; export: 导出
save: 保存 存储 存 存到; store: 存储 储存 商店 店铺; load: 加载 载入
open: 打开 开启 开放 未关闭 开; close: 关闭 关掉 关 关上; start: 开始 启动 开启 开头
stop: 停止 停 停下 停掉; begin: 开始; end: 结束 结尾 终止; run: 运行 跑 执行 跑步; execute: 执行
launch: 启动 发射; restart: 重启 重新启动; pause: 暂停; resume: 继续 恢复 简历; play: 播放 玩 放
record: 记录 录制 录音 录; move: 移动 移到 移至 搬 挪; copy: 复制 拷贝; duplicate: 重复 副本
paste: 粘贴; cut: 剪切 剪; merge: 合并; combine: 组合 结合 合并; split: 拆分 分割 分开
extract: 提取 抽取; insert: 插入; append: 追加 附加; deploy: 部署; build: 构建 编译 建造
install: 安装; uninstall: 卸载; configure: 配置 设置; set: 设置 设定 设 设为; reset: 重置 重设
enable: 启用 激活 开启; disable: 禁用 停用; turn: 打开 关闭; switch: 切换 开关; lock: 锁定 锁
unlock: 解锁; block: 屏蔽 阻止 拉黑; allow: 允许; grant: 授予 授权; revoke: 撤销 吊销
approve: 批准 审批 同意; reject: 拒绝 驳回; accept: 接受; confirm: 确认; submit: 提交
request: 请求 申请; ask: 询问 问 提问; buy: 购买 买 买入; purchase: 购买 采购
sell: 卖 出售 销售 卖出; pay: 支付 付款 付 缴费; order: 订单 下单 订购 点餐; refund: 退款
charge: 收费 扣款 充电; transfer: 转账 转移 转让 转; deposit: 存款 押金; withdraw: 提现 取款
subscribe: 订阅; subscription: 订阅; unsubscribe: 退订 取消订阅; follow: 关注 跟随
track: 跟踪 追踪 追查; monitor: 监控 监测 监视; watch: 观看 监视; notify: 通知
notification: 通知 提醒; remind: 提醒; reminder: 提醒 提醒事项; alert: 警报 告警 预警 警告
warn: 警告; assign: 分配 指派 指定给 分派; label: 标签 标记 标注; tag: 标签; mark: 标记 标为 标成
pin: 置顶 固定; comment: 评论 留言 注释 批注; review: 审查 评审 评价 复习 审核 点评
rate: 评分 打分 率 利率; vote: 投票; like: 点赞 喜欢; analyze: 分析; analysis: 分析
summarize: 总结 概括 归纳; summary: 摘要 总结 概要 概述; explain: 解释 说明 讲解; describe: 描述
description: 描述 说明; generate: 生成 产生; draw: 画 绘制 绘画; design: 设计; paint: 绘画
format: 格式 格式化; print: 打印 列印; scan: 扫描 扫; parse: 解析; encode: 编码; decode: 解码
encrypt: 加密; decrypt: 解密; compress: 压缩; unzip: 解压 解压缩; resize: 调整大小 缩放
crop: 裁剪; rotate: 旋转; click: 点击 单击; scroll: 滚动; type: 类型 输入 键入; navigate: 导航
visit: 访问 拜访; browse: 浏览; crawl: 爬取 爬虫; connect: 连接; disconnect: 断开
connection: 连接; link: 链接 关联 连结; call: 打电话 呼叫 通话 调用; dial: 拨打 拨号; talk: 谈话 聊聊
speak: 说话 说; listen: 听 收听; learn: 学习 学; teach: 教; register: 注册 登记; log: 日志
login: 登录 登陆 登入; logout: 登出 注销 退出登录; sign: 签名 签署 签字; backup: 备份
restore: 恢复 还原; recover: 恢复; undo: 撤销; revert: 回滚 还原; archive: 归档 存档; sync: 同步
commit: 提交; clone: 克隆; push: 推送; pull: 拉取 拉; fix: 修复 修正 修理 改正; solve: 解决 求解
resolve: 解决; debug: 调试; test: 测试; measure: 测量; estimate: 估算 估计 预估; predict: 预测
recommend: 推荐; recommendation: 推荐; suggest: 建议; suggestion: 建议; select: 选择 选中 选
choose: 选择 挑选; pick: 挑选; manage: 管理; organize: 整理 组织; control: 控制 操控
use: 使用 利用; wait: 等待; finish: 完成; complete: 完成 完整; upgrade: 升级; query: 查询
drop: 丢弃; travel: 旅行 旅游 出行 出差; trip: 旅行 行程 旅程; drive: 驾驶 开车; fly: 飞 飞往 飞到
walk: 步行 散步 走路; eat: 吃; cook: 做饭 烹饪 做菜 煮; file: 文件 档案; folder: 文件夹 资料夹
directory: 目录; path: 路径; document: 文档 文件 资料; page: 页面 网页 页; text: 文本 文字 短信
word: 单词 词 词语 字; sentence: 句子 句; paragraph: 段落; line: 行
note: 笔记 便签 备注 备忘录 记事; attachment: 附件; message: 消息 信息 留言 短信 讯息 简讯
email: 邮件 电子邮件 邮箱 电邮 信箱; mail: 邮件 信件 信; inbox: 收件箱; draft: 草稿; recipient: 收件人
sender: 发件人; subject: 主题 标题; thread: 线程 话题 帖子; conversation: 对话 会话
chat: 聊天 群聊; channel: 频道 渠道; reaction: 表情回应 反应; mention: 提及; calendar: 日历 日程 行事历
event: 事件 活动 日程; meeting: 会议 开会 例会; appointment: 约会 预约; date: 日期
time: 时间 时刻 点钟; timezone: 时区; day: 天 日子; week: 星期 本周 这周 上周 下周 一周
month: 月 月份 本月 这个月 上个月 下个月; year: 年 今年 去年 明年 年份; hour: 小时 钟头
minute: 分钟; second: 秒; today: 今天 今日; tomorrow: 明天 明日; yesterday: 昨天 昨日
weekend: 周末; morning: 早上 上午 早晨; afternoon: 下午; evening: 晚上 傍晚; night: 夜晚 夜里
birthday: 生日; holiday: 节日 假日 假期 节假日; vacation: 假期 度假 休假
deadline: 截止日期 期限 截止; duration: 时长 持续时间; availability: 空闲 可用性
available: 可用 有空; free: 免费 空闲; busy: 忙 忙碌; task: 任务; todo: 待办 待办事项
project: 项目 工程 专案; milestone: 里程碑; goal: 目标; board: 看板 面板; card: 卡片 卡
issue: 问题 议题 工单; ticket: 工单 票 门票 车票 机票; bug: 缺陷 漏洞 错误; error: 错误 报错 出错
sprint: 冲刺 迭代; branch: 分支; repository: 仓库 代码库 版本库; code: 代码 编码 程式码
pull request: 拉取请求 合并请求; release: 发布 版本发布; version: 版本
package: 包 软件包 包裹 快递; module: 模块; workflow: 工作流 流程; pipeline: 流水线 管道
job: 作业 工作 职位; function: 函数 功能; variable: 变量; script: 脚本; program: 程序 程式
application: 应用 应用程序 申请; app: 应用 软件; software: 软件 软体; server: 服务器 伺服器; cluster: 集群
container: 容器; instance: 实例; environment: 环境; secret: 密钥 秘密; key: 密钥 键 钥匙
token: 令牌; password: 密码 口令; user: 用户 使用者; account: 账户 账号 帐号 帐户
profile: 个人资料 资料 简介; role: 角色; permission: 权限 许可; access: 访问 权限; security: 安全
owner: 所有者 拥有者 负责人; member: 成员 会员; team: 团队 队伍 球队; organization: 组织 机构
company: 公司 企业; employee: 员工 职员 雇员; manager: 经理 主管; person: 个人 人物
people: 人员 人们; friend: 朋友 好友; contact: 联系人 联系 通讯录; customer: 客户 顾客
client: 客户 客户端; lead: 线索 潜在客户; deal: 交易; campaign: 营销活动 广告系列
address: 地址 住址; phone: 电话 手机; phone number: 电话号码 手机号 手机号码
number: 数字 号码 编号; name: 名字 姓名 名称; title: 标题 题目; id: 编号 标识; status: 状态
state: 状态; category: 类别 分类 种类; property: 属性 房产 财产; value: 值 数值
table: 表 表格 数据表; row: 行; column: 列 栏; cell: 单元格; spreadsheet: 电子表格 表格
sheet: 工作表; database: 数据库 资料库; data: 数据; dataset: 数据集; schema: 模式 结构; field: 字段
index: 索引; collection: 集合 收藏; item: 项 项目 物品 条目; form: 表单; template: 模板
survey: 调查 问卷; question: 问题; report: 报告 报表 汇报; chart: 图表 图; graph: 图 图形 曲线
diagram: 示意图 流程图; statistics: 统计 统计数据; metric: 指标; dashboard: 仪表盘 仪表板
invoice: 发票 账单; bill: 账单; receipt: 收据 小票; payment: 付款 支付 缴款
price: 价格 价钱 报价 股价 多少钱; cost: 成本 费用 花费; amount: 金额 数额
total: 总计 总 总额 总数; tax: 税 税费 税务; discount: 折扣 优惠; coupon: 优惠券; budget: 预算
bank: 银行; balance: 余额 结余; transaction: 交易 流水; credit card: 信用卡; credit: 信用 信贷
loan: 贷款 借款; money: 钱 资金; currency: 货币 币种 外币; exchange rate: 汇率; dollar: 美元
yuan: 人民币 元; euro: 欧元; expense: 支出 开销 报销; income: 收入; revenue: 营收 收入
stock: 股票 库存 股市; share price: 股价; market: 市场 行情; portfolio: 投资组合
crypto: 加密货币 数字货币; bitcoin: 比特币; interest: 利息; insurance: 保险; contract: 合同
quote: 报价 引用 名言; offer: 优惠 提供; product: 产品 商品; cart: 购物车; shop: 商店 店 店铺
shopping: 购物; inventory: 库存 存货; warehouse: 仓库; shipping: 运输 配送 发货 物流
shipment: 货物 货运; delivery: 配送 送货 外卖; supplier: 供应商; catalog: 目录; weather: 天气 气象
forecast: 预报 预测; temperature: 温度 气温; rain: 雨 下雨 降雨; snow: 雪 下雪
wind: 刮风 大风 风力 风速; sun: 太阳; climate: 气候; air quality: 空气质量; earthquake: 地震
humidity: 湿度; flight: 航班 飞机 机票; airport: 机场; airline: 航空公司; hotel: 酒店 宾馆 旅馆
room: 房间 客房 会议室; accommodation: 住宿; restaurant: 餐厅 餐馆 饭店 饭馆
train: 火车 高铁 列车 训练; station: 车站 站点 站; bus: 公交 巴士 公交车; subway: 地铁
car: 汽车 车 轿车; vehicle: 车辆; rental: 租赁 租车; taxi: 出租车 打车; bike: 自行车 单车
ship: 船 发货; parking: 停车 停车场; map: 地图; route: 路线 线路; direction: 方向 导航
distance: 距离 多远; location: 位置 地点 定位; place: 地方 地点; nearby: 附近 周边 周围
city: 城市; country: 国家; region: 地区 区域; world: 世界; street: 街道; house: 房子 房屋
home: 家里 主页 首页; apartment: 公寓; building: 建筑 大楼; rent: 租 租金 租房
traffic: 交通 路况 堵车 流量; destination: 目的地; departure: 出发; arrival: 到达; passport: 护照
visa: 签证; tourist: 游客 旅游; attraction: 景点; landmark: 地标; museum: 博物馆
recipe: 食谱 菜谱 做法; ingredient: 食材 配料 原料; food: 食物 食品 美食; meal: 餐 饭
dish: 菜 菜肴; menu: 菜单; drink: 饮料 喝; cocktail: 鸡尾酒; nutrition: 营养; calorie: 卡路里 热量
diet: 饮食; breakfast: 早餐; lunch: 午餐 午饭; dinner: 晚餐 晚饭; wine: 葡萄酒 酒; coffee: 咖啡
image: 图片 图像 图; picture: 图片 照片; photo: 照片 相片; video: 视频 录像; audio: 音频
music: 音乐; song: 歌曲 歌; album: 专辑 相册; artist: 艺术家 歌手 艺人; playlist: 播放列表 歌单
lyrics: 歌词; movie: 电影 影片; cinema: 电影院; series: 系列 剧集 电视剧; episode: 剧集
actor: 演员; podcast: 播客; radio: 电台 广播; voice: 语音 声音 嗓音; speech: 语音 演讲
sound: 声音; volume: 音量; camera: 相机 摄像头; screen: 屏幕; screenshot: 截图 截屏
background: 背景; color: 颜色; font: 字体; icon: 图标; logo: 标志; animation: 动画
news: 新闻 资讯 头条; headline: 头条 标题; article: 文章; blog: 博客; author: 作者
library: 图书馆 库; paper: 论文 纸; research: 研究 调研; science: 科学; study: 学习 研究
citation: 引用 引文; poem: 诗 诗歌; story: 故事; history: 历史 历史记录; dictionary: 字典 词典
definition: 定义 释义; meaning: 意思 含义; synonym: 同义词; language: 语言; english: 英语 英文
german: 德语 德文; french: 法语 法文; spanish: 西班牙语; chinese: 中文 汉语; japanese: 日语 日文
grammar: 语法; spelling: 拼写; subtitle: 字幕; transcript: 文字记录 转录
transcribe: 转录 转写 转文字; website: 网站; web: 网络 网页 互联网 网路; site: 站点 网站; url: 网址
domain: 域名; browser: 浏览器; network: 网络 网路; cloud: 云端 云服务; button: 按钮
search engine: 搜索引擎; result: 结果; keyword: 关键词 关键字; game: 游戏 比赛
player: 玩家 球员 播放器; score: 比分 分数 得分; match: 比赛 匹配; league: 联赛; football: 足球
basketball: 篮球; sport: 体育 运动; sports: 体育; tournament: 锦标赛; joke: 笑话; quiz: 测验
fact: 事实; random: 随机; horoscope: 星座 运势; lottery: 彩票; health: 健康; doctor: 医生
hospital: 医院; patient: 患者 病人; medicine: 药 医学; drug: 药物 药品; symptom: 症状
disease: 疾病; fitness: 健身; exercise: 锻炼 练习; workout: 健身 锻炼; sleep: 睡眠 睡觉
weight: 体重 重量; heart: 心脏 心率; step: 步骤 步数; body: 身体 正文; school: 学校; course: 课程
lesson: 课; student: 学生; teacher: 老师 教师; exam: 考试; university: 大学; education: 教育
candidate: 候选人; salary: 工资 薪水; interview: 面试 采访; recruit: 招聘; device: 设备 装置
light: 灯 灯光; door: 房门 门锁; window: 窗口 窗户; thermostat: 恒温器; heating: 暖气
air conditioner: 空调; sensor: 传感器; alarm: 闹钟 警报; timer: 计时器 定时器; clock: 时钟
machine: 机器; robot: 机器人; battery: 电池; energy: 能源; power: 电源 功率; water: 水
computer: 电脑 计算机; memory: 内存 记忆; storage: 存储; disk: 磁盘 硬盘; math: 数学
equation: 方程; formula: 公式; unit: 单位; length: 长度; size: 大小 尺寸; area: 面积 区域
average: 平均 平均值; percent: 百分比; maximum: 最大 最大值; minimum: 最小 最小值; trend: 趋势
model: 模型; prompt: 提示词 提示; agent: 代理 智能体; knowledge: 知识; information: 信息 资料
detail: 详情 细节 详细; idea: 想法 主意; thought: 思考; law: 法律 法规; legal: 法律; court: 法院
government: 政府; politics: 政治; election: 选举; patent: 专利; animal: 动物; dog: 狗; cat: 猫
plant: 植物; tree: 树; flower: 鲜花 花卉; planet: 行星; space: 空间 太空; star: 恒星 星星 星级
moon: 月亮 月球; river: 河流; sea: 大海 海洋; beach: 海滩; mountain: 山脉 高山 爬山; park: 公园
child: 孩子 儿童; man: 男人; woman: 女人; family: 家庭; baby: 婴儿 宝宝; wedding: 婚礼; gift: 礼物
party: 聚会 派对; concert: 演唱会 音乐会; theater: 剧院; exhibition: 展览; conference: 大会 会议
presentation: 演示 演示文稿 幻灯片; slide: 幻灯片; webinar: 网络研讨会; speaker: 演讲者 音箱
guest: 客人 嘉宾; attendee: 参会者 与会者; participant: 参与者 参加者; setting: 设置 设定
option: 选项; feature: 功能 特性; rule: 规则; policy: 政策 策略; condition: 条件
trigger: 触发 触发器; action: 操作 动作 行动; process: 处理 进程 流程; service: 服务
support: 支持 客服; help: 帮助; feedback: 反馈; complaint: 投诉; warranty: 保修; part: 部分 零件
level: 级别 等级; priority: 优先级; daily: 每日 每天 日常; weekly: 每周; monthly: 每月
yearly: 每年 年度; recent: 最近 近期 最近的; latest: 最新 最新的; last: 最后 上次 上一个
next: 下一个 下次 接下来; previous: 上一个 之前; upcoming: 即将 即将到来
current: 当前 目前 现在的; now: 现在 立刻 马上; old: 旧的 旧版; past: 过去; future: 未来 将来
first: 第一 首个; closed: 已关闭; unread: 未读; shared: 共享的 已分享; private: 私有 私人 私密
public: 公开 公共; local: 本地 当地; global: 全球; active: 活跃 活动的; inactive: 不活跃
pending: 待处理 待定 未完成; overdue: 逾期 过期; due: 到期; done: 已完成; important: 重要
urgent: 紧急; favorite: 收藏 最喜欢; popular: 热门 流行 受欢迎; trending: 热搜 趋势
best: 最好 最佳; top: 排行 前十 排行榜; cheap: 便宜 便宜的; expensive: 贵 昂贵; high: 高的 最高
low: 低的 最低; large: 大的 大型 最大的; big: 大的; small: 小的 小型; long: 长的 多长
short: 短的 简短; fast: 快速 最快; slow: 缓慢 慢的; hot: 炎热; cold: 寒冷; empty: 空的 空白
full: 完整; missing: 缺失 缺少 丢失; different: 不同; difference: 区别 差异; same: 相同 一样
similar: 相似 类似; related: 相关; multiple: 多个 多条; several: 几个; automatic: 自动
online: 在线; offline: 离线; live: 直播 实时; red: 红色; green: 绿色; blue: 蓝色; black: 黑色
white: 白色; yellow: 黄色
quality: 品质
sale: 销售 销量

win: 赢 赢了 获胜; population: 人口; payroll: 工资单; return: 退货 返回; time: 几点 几点钟
wishlist: 愿望清单 心愿单; sunrise: 日出; sunset: 日落; coordinates: 坐标; fuel: 燃油 汽油 油价
charging: 充电 充电站; sentiment: 情感 情绪; vulnerability: 漏洞 安全漏洞; threat: 威胁
certificate: 证书; performance: 性能 绩效; usage: 使用情况 用量; limit: 限制 上限; queue: 队列
license: 许可证; topic: 话题 主题; follower: 粉丝 关注者; barcode: 条形码 条码; qr code: 二维码
metadata: 元数据; proofread: 校对; pronunciation: 发音; outage: 故障 宕机; incident: 事故 事件
law: 条例; review: 测评; cat: 猫咪; holiday: 公众假期; tracking: 运单 单号; refund: 退钱
tip: 小费; bill: 账单; wage: 薪资; visualize: 可视化; simulate: 模拟; optimize: 优化
classify: 归类; detect: 检测 识别; recognize: 识别; hide: 隐藏; expand: 展开 扩展; attach: 附上
collect: 收集 采集; donate: 捐款 捐赠; apply: 应用于 投递; distribute: 分发; clean: 打扫 清洁
lend: 借 借阅; earn: 赚 赚钱
`;
